// The texts of all rooms, each key with its three languages side by side.
import cycles from "./cycles.json";
import desk from "./desk.json";
import hunt from "./hunt.json";
import ledger from "./ledger.json";
import live from "./live.json";
import repair from "./repair.json";
import shell from "./shell.json";
import virus from "./virus.json";
import wall from "./wall.json";

export const languages = ["en", "fr", "es"] as const;
export type Language = (typeof languages)[number];

const texts = { ...shell, ...repair, ...ledger, ...live, ...hunt, ...wall, ...cycles, ...desk, ...virus };
export type Key = keyof typeof texts;

let current: Language = "en";

/** chosen is the language that was picked by hand, else the browser's first that is spoken here. */
export function chosen(): Language {
  const wanted = [stored("lastmile-language"), ...navigator.languages];
  for (const tag of wanted) {
    const found = languages.find((l) => tag?.toLowerCase().split("-")[0] === l);
    if (found) return found;
  }
  return "en";
}

/** stored reads a setting; browsers may forbid it. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** store keeps a setting if the browser lets us. */
export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // then it lasts as long as the page
  }
}

export function setLanguage(l: Language): void {
  current = l;
  document.documentElement.lang = l;
}

export const language = (): Language => current;

/** t is a text in the language at hand, {name} replaced by its parameter. */
export function t(key: Key, parameters: Record<string, string | number> = {}): string {
  return texts[key][current].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : value;
  });
}

/** number writes a number as the language does. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString(current, { maximumFractionDigits: digits });
}
