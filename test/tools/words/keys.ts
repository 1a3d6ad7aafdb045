import { join } from "node:path";
import { isMessage, type Message, placesOf } from "../../../src/core/words/message.ts";
import { builder, fileOf, page, type Words } from "./files.ts";

type KeyFile = { readonly path: string; readonly text: string };

/** Returns the generated type files of all English texts. A test compares them with the existing files. */
export function keyFiles(): readonly KeyFile[] {
  return [
    { path: join(builder.english, "../keys.d.ts"), text: keysOf(builder.readEnglish()) },
    { path: join(page.english, "keys.d.ts"), text: placesFile(page.readEnglish()) },
  ];
}

const written = "// Written by `npm run words` from the English words; a test compares them.\n";

/** Generates the parameters of the chat page's texts, by the key of the text. */
export function placesFile(words: Words): string {
  const entries = Object.entries(words).flatMap(([key, message]) => {
    const values = isMessage(message) ? valuesOf(message) : undefined;
    return values === undefined ? [] : [`  ${key}: ${values};\n`];
  });
  return [written, "type Value = string | number;\n", `export type Places = {\n${entries.join("")}};\n`].join("\n");
}

/**
 * Generates the types of all English texts. A text with parameters becomes a function that requires a value for each
 * parameter, so a call without a value does not compile.
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

/** Returns the texts of all forms of a message. */
export function textsOf(message: Message): string[] {
  if (typeof message === "string") return [message];
  const { by: _, ...forms } = message;
  return Object.values<Message>(forms).flatMap(textsOf);
}

/** How a parameter selects a form: whether by the plural category of a number, and whether there is a form for zero. */
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
