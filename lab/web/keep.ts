// Lists that change while somebody reads them: an item that stays keeps its element,
// and with it the focus, a selection and the place of a reader.

/** Row is the element of an item. */
export interface Row<A> {
  element: HTMLElement;
  /** set shows what the item is now. */
  set(item: A): void;
  /** close is called when the item is gone. */
  close?(): void;
}

/** Keep holds the elements of a list of items. */
export class Keep<A> {
  private rows = new Map<string, Row<A>>();

  /** key names an item for as long as it is there; make makes its element. */
  constructor(
    private readonly parent: HTMLElement,
    private readonly key: (item: A) => string,
    private readonly make: (item: A) => Row<A>,
  ) {}

  /** show makes the list that of these items, in their order. */
  show(items: readonly A[]): void {
    const rows = new Map<string, Row<A>>();
    for (const item of items) {
      let key = this.key(item);
      while (rows.has(key)) key += " "; // two of one name are two all the same
      const row = this.rows.get(key) ?? this.make(item);
      row.set(item);
      rows.set(key, row);
    }
    for (const [key, row] of this.rows) {
      if (rows.has(key)) continue;
      row.element.remove();
      row.close?.();
    }
    this.rows = rows;
    const focused = document.activeElement;
    let at = this.parent.firstElementChild;
    for (const { element } of rows.values()) {
      if (element === at) at = at.nextElementSibling;
      else this.parent.insertBefore(element, at);
    }
    // An element that is moved loses the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement && this.parent.contains(focused)) focused.focus({ preventScroll: true });
  }

  close(): void {
    this.show([]);
  }
}

/** put sets a text, and leaves one alone that is so already. */
export function put(e: Element, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}
