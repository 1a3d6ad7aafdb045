import { flagAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { choiceInput } from "./choice.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { textInput } from "./text.tsx";

/** Kinds of inputs that are part of the page. Each kind has its own file. */
export const common: ReadonlyMap<string, InputKind> = new Map([
  ["text input", textInput],
  ["choice input", choiceInput],
]);

/** Kinds of inputs that a browser loads on demand. `more.ts` lists further kinds, which need another request. */
export const rare: ReadonlyMap<string, () => Promise<InputKind>> = new Map([
  ["choice input, alike", async () => (await import("./choice-alike.ts")).choiceAlikeInput],
  ["choice input with filter", async () => (await import("./choice-list.tsx")).choiceListInput],
  ["email input", async () => (await import("./email.tsx")).emailInput],
  ["url input", async () => (await import("./url.tsx")).urlInput],
  ["number input", async () => (await import("./number.tsx")).numberInput],
  ["date input", async () => (await import("./date.tsx")).dateInput],
  ["phone number input", async () => (await import("./phone.tsx")).phoneInput],
  ["rating input", async () => (await import("./rating.tsx")).ratingInput],
]);

const loaded = new Map<string, InputKind>(common);

/** Loads the kind of this input, so that `inputKind` can return it. */
export async function loadInput(input: Input | undefined): Promise<void> {
  if (!input) return;
  const name = kindName(input);
  if (loaded.has(name)) return;
  const load = rare.get(name) ?? (await import("./more.ts")).more.get(name);
  if (!load) return;
  const [kind] = await Promise.all([load(), import("../../conversation/rare-words.ts")]);
  loaded.set(name, kind);
}

/** Returns the kind of an input. An input whose kind is unknown or has not been loaded becomes a text input. */
export function inputKind(input: Input): InputKind {
  return loaded.get(kindName(input)) ?? textInput;
}

/**
 * Returns the name of an input's kind, which is its type or a variant of its type. Variants are separate kinds, because
 * few pages need their scripts.
 */
export function kindName(input: Pick<Input, "type">): string {
  const isOn = (...names: readonly string[]) => flagAt(input, "options", ...names) === true;
  const takesFiles = isOn("attachments", "isEnabled") || isOn("audioClip", "isEnabled");
  if (input.type === "text input") {
    if (isOn("isCountry")) return "text input, country";
    const suggestions = listAt(input, "options", "followUps")[0] ? ", suggestions" : "";
    return `text input${takesFiles ? " with files" : ""}${suggestions}`;
  }
  const isLong = isOn("isSearchable") || listAt(input, "items").length > mostUnfiltered;
  if (input.type !== "choice input") return input.type;
  return isLong ? "choice input with filter" : `choice input${areAlike(input) ? ", alike" : ""}`;
}

/** Whether any two contents or values of the items are equal, ignoring case and spaces. */
function areAlike(input: Pick<Input, "type">): boolean {
  const words = listAt(input, "items").flatMap((item) =>
    ["content", "value"].map((name) => textAt(item, name)?.replace(/\s/g, "").toLowerCase() || {}),
  );
  return new Set(words).size < words.length;
}

/** Whether an input asks for free text. */
export function isFreeText(input: Pick<Input, "type">): boolean {
  return /^text input(?!, c)/.test(kindName(input));
}

/**
 * Whether a text that was written before this question arrived may answer the question. If the text does not fit, the
 * question is asked again.
 */
export function takesText({ type }: Pick<Input, "type">): boolean {
  return /^(text|email|url|number) input$/.test(type);
}

/** The number of options that fit without a filter. */
const mostUnfiltered = 12;
