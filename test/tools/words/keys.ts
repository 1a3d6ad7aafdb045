import { join } from "node:path";
import { isMessage, type Message, placesOf } from "../../../src/core/words/message.ts";
import { builder, fileOf, page, type Words } from "./files.ts";

type KeyFile = { readonly path: string; readonly text: string };

/** The types of all English words, as written into their files. A test compares them. */
export function keyFiles(): readonly KeyFile[] {
  return [
    { path: join(builder.english, "../keys.d.ts"), text: keysOf(builder.readEnglish()) },
    { path: join(page.english, "keys.d.ts"), text: placesFile(page.readEnglish()) },
  ];
}

const written = "// Written by `npm run words` from the English words; a test compares them.\n";

/** The values in texts of the chat page, by the text's key. */
export function placesFile(words: Words): string {
  const entries = Object.entries(words).flatMap(([key, message]) => {
    const values = isMessage(message) ? valuesOf(message) : undefined;
    return values === undefined ? [] : [`  ${key}: ${values};\n`];
  });
  return [written, "type Value = string | number;\n", `export type Places = {\n${entries.join("")}};\n`].join("\n");
}

/**
 * The types of all English words: those of their files, except texts with places. Each of these is a function that
 * takes a value for each place by its name, so a call without a value does not compile.
 */
export function keysOf(areas: Words): string {
  const entries = Object.entries(areas).map(([name, words]) => {
    const english = `(typeof import("./en/${fileOf(name)}"))["${name}"]`;
    const functions = functionsIn(words, "  ");
    return `  ${name}: ${functions === undefined ? english : `Said<${english}, ${functions}>`};\n`;
  });
  return [written, "type Value = string | number;\n", said, `export type Parts = {\n${entries.join("")}};\n`].join(
    "\n",
  );
}

const said = `type Said<English, Functions> = {
  readonly [Key in keyof English]: Key extends keyof Functions
    ? Functions[Key] extends (values: never) => string
      ? Functions[Key]
      : Said<English[Key], Functions[Key]>
    : English[Key];
};
`;

/** The functions of a part of the words; undefined if it has none. */
function functionsIn(words: string | Words, indent: string): string | undefined {
  if (isMessage(words)) {
    const values = valuesOf(words);
    return values && `(values: ${values}) => string`;
  }
  const inner = Object.entries(words).flatMap(([key, own]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
    const functions = functionsIn(own, `${indent}  `);
    return functions === undefined ? [] : [`${indent}  ${name}: ${functions};\n`];
  });
  return inner.length === 0 ? undefined : `{\n${inner.join("")}${indent}}`;
}

/** The type of a message's values; undefined if there are none. */
function valuesOf(message: Message): string | undefined {
  const chosenBy = choicesOf(message);
  const forms = textsOf(message).map(placesOf);
  const names = new Set([...chosenBy.keys(), ...forms.flat().map(({ name }) => name)]);
  if (names.size === 0) return undefined;
  const fields = [...names].map((name) => {
    const choice = chosenBy.get(name);
    const isNumber = choice?.isNumber || forms.flat().some((each) => each.name === name && each.kind === "number");
    const mayBeAbsent = choice ? choice.hasNone : !forms.every((places) => places.some((each) => each.name === name));
    return `readonly ${name}: ${isNumber ? "number" : "Value"}${mayBeAbsent ? " | undefined" : ""}`;
  });
  return `{ ${fields.join("; ")} }`;
}

/** All texts of a message: each of its forms. */
export function textsOf(message: Message): string[] {
  if (typeof message === "string") return [message];
  const { by: _, ...forms } = message;
  return Object.values<Message>(forms).flatMap(textsOf);
}

/** A value that chooses a form: whether by the plural category of a number, and whether there is a form for none. */
type Choice = { isNumber: boolean; hasNone: boolean };

export function choicesOf(message: Message, found = new Map<string, Choice>()): ReadonlyMap<string, Choice> {
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
