// Small hands for making elements. Text is always set as text, never as markup.

type Child = Node | string | null;

interface Properties {
  class?: string;
  text?: string;
  id?: string;
  [attribute: `aria-${string}` | `data-${string}`]: string;
  role?: string;
  href?: string;
  type?: string;
  name?: string;
  value?: string;
  for?: string;
  lang?: string;
  tabindex?: string;
  min?: string;
  max?: string;
  step?: string;
  rows?: string;
  title?: string;
  placeholder?: string;
  spellcheck?: string;
  scope?: string;
}

/** el makes an element. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") e.textContent = value;
    else e.setAttribute(name, value);
  }
  e.append(...children.filter((c) => c !== null));
  return e;
}

/** button makes a button that calls a function. */
export function button(text: string, click: () => void, properties: Properties = {}): HTMLButtonElement {
  const b = el("button", { type: "button", text, ...properties });
  b.addEventListener("click", click);
  return b;
}

let made = 0;

/** field puts a label to a control. */
export function field(label: string, control: HTMLElement, hint = ""): HTMLElement {
  control.id ||= `field-${++made}`;
  const f = el("div", { class: "field" }, el("label", { for: control.id, text: label }), control);
  if (hint !== "") {
    const h = el("p", { class: "hint", id: `${control.id}-hint`, text: hint });
    control.setAttribute("aria-describedby", h.id);
    f.append(h);
  }
  return f;
}

/** select makes a choice among values with their texts. */
export function select(options: readonly (readonly [value: string, text: string])[], value: string, change: (value: string) => void): HTMLSelectElement {
  const s = el("select");
  for (const [v, text] of options) s.append(el("option", { value: v, text }));
  s.value = value;
  s.addEventListener("change", () => change(s.value));
  return s;
}

/** slider makes a range; change hears its value as it moves. */
export function slider(min: number, max: number, value: number, change: (value: number) => void, step = 1): HTMLInputElement {
  const s = el("input", { type: "range", min: String(min), max: String(max), step: String(step), value: String(value) });
  s.addEventListener("input", () => change(Number(s.value)));
  return s;
}

/** toggle makes a button that is pressed or not. */
export function toggle(text: string, pressed: boolean, change: (pressed: boolean) => void): HTMLButtonElement {
  const b = button(text, () => {
    const now = b.getAttribute("aria-pressed") !== "true";
    b.setAttribute("aria-pressed", String(now));
    change(now);
  }, { "aria-pressed": String(pressed) });
  return b;
}

/** checkbox makes a box with its label. */
export function checkbox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLElement {
  const box = el("input", { type: "checkbox", id: `field-${++made}` });
  box.checked = checked;
  box.addEventListener("change", () => change(box.checked));
  return el("div", { class: "check" }, box, el("label", { for: box.id, text: label }));
}

/** scroll lets what is too wide be scrolled, by the keyboard too. */
export function scroll(label: string, content: HTMLElement): HTMLElement {
  return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, content);
}

export const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
