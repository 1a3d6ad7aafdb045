import { isMessage, type Message, placesOf } from "../../../src/web/app/words/message.ts";
import type { Words } from "./files.ts";

/**
 * The types of all English words: `string` for a text, and a function for one with places, which takes a value for each
 * of them by its name. So a call without a value does not compile.
 */
export function keysOf(areas: Readonly<Record<string, Words>>): string {
  const entries = Object.entries(areas).map(([key, words]) => `  ${key}: ${typeOf(words, "  ")};\n`);
  return [
    "// Written by `npm run words` from the English words in `en/`; a test compares them.\n",
    "type Value = string | number;\n",
    `export type Keys = {\n${entries.join("")}};\n`,
  ].join("\n");
}

function typeOf(words: string | Words, indent: string): string {
  if (isMessage(words)) return typeOfMessage(words);
  const inner = Object.entries(words).map(([key, own]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
    return `${indent}  readonly ${name}: ${typeOf(own, `${indent}  `)};\n`;
  });
  return inner.length === 0 ? "object" : `{\n${inner.join("")}${indent}}`;
}

function typeOfMessage(message: Message): string {
  const chosenBy = choicesOf(message);
  const forms = textsOf(message).map(placesOf);
  const names = new Set([...chosenBy.keys(), ...forms.flat().map(({ name }) => name)]);
  if (names.size === 0) return "string";
  const fields = [...names].map((name) => {
    const choice = chosenBy.get(name);
    const isNumber = choice?.isNumber || forms.flat().some((each) => each.name === name && each.kind === "number");
    const mayBeAbsent = choice ? choice.hasNone : !forms.every((places) => places.some((each) => each.name === name));
    return `readonly ${name}: ${isNumber ? "number" : "Value"}${mayBeAbsent ? " | undefined" : ""}`;
  });
  return `(values: { ${fields.join("; ")} }) => string`;
}

/** All texts of a message: each of its forms. */
function textsOf(message: Message): string[] {
  if (typeof message === "string") return [message];
  const { by: _, ...forms } = message;
  return Object.values<Message>(forms).flatMap(textsOf);
}

/** A value that chooses a form: whether by the plural category of a number, and whether there is a form for none. */
type Choice = { isNumber: boolean; hasNone: boolean };

function choicesOf(message: Message, found = new Map<string, Choice>()): ReadonlyMap<string, Choice> {
  if (typeof message === "string") return found;
  const { by = "count", ...forms } = message;
  const keys = Object.keys(forms);
  const known = found.get(by);
  found.set(by, {
    isNumber: (known?.isNumber ?? false) || keys.some((key) => key !== "other" && !key.startsWith("=")),
    hasNone: (known?.hasNone ?? false) || keys.includes("="),
  });
  for (const form of Object.values<Message>(forms)) choicesOf(form, found);
  return found;
}
