import keyNames from "../words/en/key-names.json";
import { currentWords } from "../words/language.ts";

const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

/** The symbols for keys on a Mac, in the order that macOS uses. */
const signs: Readonly<Record<string, string>> = { Alt: "⌥", Shift: "⇧", Mod: "⌘", Del: "⌫", Enter: "↩" };

/**
 * Formats a shortcut for this computer and the current language, for example `keysText("Mod Shift Z")` as "Ctrl Shift
 * Z", "Strg Umschalt Z" or "⇧⌘Z". `Mod` is Ctrl, or ⌘ on a Mac. Use this function wherever a shortcut is shown.
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

/** Formats a shortcut for the `aria-keyshortcuts` attribute. */
export function keyShortcut(keys: string): string {
  return keys.replace("Mod", isMac ? "Meta" : "Control").replaceAll(" ", "+");
}
