import keyNames from "../words/en/key-names.json";
import { currentWords } from "../words/language.ts";

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

/** Signs on the keys of a Mac, in the order in which they are written there. */
const signs: Readonly<Record<string, string>> = { Alt: "⌥", Shift: "⇧", Mod: "⌘", Del: "⌫", Enter: "↩" };

/**
 * The names of keys on this computer, in the current language: `keysText("Mod Shift Z")` is "Ctrl Shift Z", "Strg
 * Umschalt Z", and "⇧⌘Z". `Mod` is the key of commands. Every place that shows keys calls this function.
 */
export function keysText(keys: string, isApple = isMac): string {
  const parts = keys.split(" ");
  const labels: Readonly<Record<string, string>> = currentWords(keyNames);
  if (!isApple) return parts.map((part) => labels[part] ?? part).join(" ");
  const order = Object.keys(signs);
  const place = (part: string) => (order.includes(part) ? order.indexOf(part) : order.length);
  return parts
    .toSorted((one, other) => place(one) - place(other))
    .map((part) => signs[part] ?? part)
    .join("");
}

/** The keys for screen readers, in the form of `aria-keyshortcuts`. */
export function keyShortcut(keys: string): string {
  return keys.replace("Mod", isMac ? "Meta" : "Control").replaceAll(" ", "+");
}
