// The page around the rooms: menu, language, light and dark, links, errors.
import { button, el, select } from "./dom";
import { Closed, Engine, EngineError } from "./engine";
import type { Lab, Room } from "./room";
import { rooms } from "./rooms/list";
import { chosen, language, languages, setLanguage, store, stored, t, type Language } from "./texts";

const names: Record<Language, string> = { en: "English", fr: "Français", es: "Español" };
const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

let leave = (): void => {};
let themed: (() => void)[] = [];

/** place reads the link: #/room?query. */
function place(): { room: Room; query: URLSearchParams } {
  const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s, 2);
  return { room: rooms.find((r) => r.id === path) ?? rooms[0]!, query: new URLSearchParams(query ?? "") };
}

function theme(): Theme {
  return themes.find((x) => x === stored("lastmile-theme")) ?? "auto";
}

function setTheme(x: Theme): void {
  document.documentElement.dataset["theme"] = x;
  for (const f of themed) f();
}

function header(current: Room): HTMLElement {
  const menu = el("ul", {});
  for (const r of rooms) {
    const link = el("a", { href: `#/${r.id}`, text: t(r.title) });
    if (r === current) link.setAttribute("aria-current", "page");
    menu.append(el("li", {}, link));
  }
  const languageChoice = select(languages.map((l) => [l, names[l]] as const), language(), (l) => {
    store("lastmile-language", l);
    setLanguage(l as Language);
    render();
    document.querySelector<HTMLElement>(".choices select")?.focus();
  });
  languageChoice.setAttribute("aria-label", t("shell.language"));
  const themeChoice = select(
    [["auto", t("shell.themeAuto")], ["light", t("shell.themeLight")], ["dark", t("shell.themeDark")]],
    theme(),
    (x) => {
      store("lastmile-theme", x);
      setTheme(x as Theme);
    },
  );
  themeChoice.setAttribute("aria-label", t("shell.theme"));
  return el(
    "header",
    {},
    el("div", { class: "bar" }, el("p", { class: "brand", text: "lastmile" }), el("div", { class: "choices" }, languageChoice, themeChoice)),
    el("nav", { "aria-label": t("shell.rooms") }, menu),
  );
}

function render(): void {
  leave();
  themed = [];
  const { room, query } = place();
  document.title = `${t(room.title)} · lastmile`;
  const live = el("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const alert = el("div", { class: "alert", role: "alert" });
  const host = el("div", { class: `room room-${room.id}` });
  const skip = el("a", { class: "skip", href: "#main", text: t("shell.skip") });
  skip.addEventListener("click", (e) => {
    e.preventDefault(); // the hash is the room's
    main.focus();
  });
  const main = el("main", { id: "main", tabindex: "-1" }, alert, el("p", { class: "loading", role: "status", text: t("shell.loading") }), host);
  const footer = el("footer", {}, el("p", { text: t("shell.footer") }));
  document.body.replaceChildren(skip, header(room), main, live, footer);

  const engines: Engine[] = [];
  let left = false;
  const lab: Lab = {
    engine() {
      const e = new Engine();
      engines.push(e);
      return e;
    },
    announce(text) {
      live.textContent = live.textContent === text ? `${text}\u00a0` : text; // the same line again is said again
    },
    fail(error) {
      if (left || error instanceof Closed) return;
      const line = el("p", { text: error instanceof Error ? error.message : String(error) });
      if (error instanceof EngineError) line.lang = "en";
      const close = button(t("shell.dismiss"), () => lab.clear());
      alert.replaceChildren(line, close);
      if (!(error instanceof EngineError)) console.error(error);
    },
    clear() {
      alert.replaceChildren();
    },
    query,
    setQuery(q) {
      const text = new URLSearchParams(q).toString();
      history.replaceState(null, "", `#/${room.id}${text === "" ? "" : `?${text}`}`);
    },
    onTheme(changed) {
      themed.push(changed);
    },
  };
  let unmount = (): void => {};
  leave = () => {
    left = true;
    unmount();
    for (const e of engines) e.close();
    leave = () => {};
  };
  try {
    unmount = room.mount(host, lab);
  } catch (error) {
    lab.fail(error);
  }
}

// The token of the link is in a cookie by now: out of the address, so that no link
// that is shared from here gives it away.
if (location.search !== "") history.replaceState(null, "", location.pathname + location.hash);

setLanguage(chosen());
setTheme(theme());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const f of themed) f();
});
addEventListener("hashchange", () => {
  render();
  document.getElementById("main")?.focus();
  scrollTo(0, 0);
});
render();
