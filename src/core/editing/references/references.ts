import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { findVariables, inlineCodes, mentions } from "../../interpreter/language/template-scan.ts";
import type { DraftDocument, Path, Target } from "../changes/change.ts";
import { eachBlock, entriesOf, idOf, objectsIn } from "../changes/things.ts";

/** A reference in a draft. References use ids, except that texts and code refer to variables by name. */
export type Reference = {
  readonly to: "variable" | "group" | "block" | "bot" | "credentials" | "name";
  /** The id or name that the reference contains. */
  readonly value: string;
  /**
   * How the part is referenced. `text` and `code` refer to a variable by name, `read` by id, and `write` by id or by
   * name. `goes` is a jump to a target, and `uses` refers to a bot or to credentials.
   */
  readonly how: "read" | "write" | "text" | "code" | "goes" | "uses";
  /** The path of the string, relative to the part that was searched. */
  readonly path: Path;
};

/** A reference together with the entry that contains it. */
export type Use = Reference & { readonly target: Target };

/**
 * Keys that refer to a variable whose value is read. Outside of comparisons, any other key with a variable writes the
 * variable. A test compares this list with the schemas of blocks.
 */
export const keysThatRead: ReadonlySet<string> = new Set([
  "dialogueVariableId",
  "assistantMessagesVariableId",
  "userMessagesVariableId",
  "attachmentsVariableId",
  "attachments",
  "dynamicVariableId",
  "titlesVariableId",
  "descriptionsVariableId",
  "pictureSrcsVariableId",
  "baseItemVariableId",
  "baseListVariableId",
  "listVariableId",
  "targetListVariableId",
]);

/**
 * Keys whose text is JavaScript, in addition to everything in a `Code` block. In code, a variable name is a value. A
 * test compares this list with the schemas of blocks.
 */
export const keysOfCode: ReadonlySet<string> = new Set(["bodyPath", "code", "expressionToEvaluate"]);

const keysOfIds: Readonly<Record<string, Pick<Reference, "to" | "how">>> = {
  groupId: { to: "group", how: "goes" },
  blockId: { to: "block", how: "goes" },
  typebotId: { to: "bot", how: "uses" },
  botId: { to: "bot", how: "uses" },
  credentialsId: { to: "credentials", how: "uses" },
  proxyCredentialsId: { to: "credentials", how: "uses" },
};

// The cache is valid because a change replaces a part with a new object.
const known = new WeakMap<object, readonly Reference[]>();

/**
 * Returns the references in a block, an event, a theme or any other part of a draft, including references in nested
 * parts with their own ids, such as items.
 */
export function referencesIn(part: JsonObject): readonly Reference[] {
  const found = known.get(part);
  if (found) return found;
  const made: Reference[] = [];
  collect(part, { path: [], key: "", inCode: isCodeBlock(part), isRead: false }, made);
  known.set(part, made);
  return made;
}

/** Returns all uses of a variable. Uses by name are included only if no other variable has the same name. */
export function usesOfVariable(draft: DraftDocument, variableId: string): Use[] {
  const name = nameOf(draft, variableId);
  const uses: Use[] = [];
  for (const use of eachUse(draft)) {
    if (use.to === "variable" ? use.value === variableId : use.to === "name" && use.value === name) uses.push(use);
  }
  return uses;
}

/**
 * Returns the name by which texts refer to a variable, or undefined if the variable does not exist or another variable
 * has the same name.
 */
export function nameOf(draft: DraftDocument, variableId: string): string | undefined {
  const variable = draft.variables.find(({ id }) => id === variableId);
  const isShared = draft.variables.some(({ id, name }) => id !== variableId && name === variable?.name);
  return isShared ? undefined : variable?.name;
}

/** Yields the references in a draft. In the theme and the settings, only names of variables are searched for. */
export function* eachUse(draft: DraftDocument): Generator<Use> {
  for (const { block } of eachBlock(draft)) yield* usesOf("block", block);
  for (const event of objectsIn(draft.events)) yield* usesOf("event", event);
  for (const of of ["theme", "settings"] as const) {
    const section = draft[of];
    if (!isJsonObject(section)) continue;
    for (const use of referencesIn(section)) if (use.to === "name") yield { ...use, target: { of } };
  }
}

function* usesOf(of: "block" | "event", thing: JsonObject): Generator<Use> {
  const id = idOf(thing);
  if (id === undefined) return;
  const items = of === "block" ? itemsById(thing) : undefined;
  for (const reference of referencesIn(thing)) {
    const [first, index, ...rest] = reference.path;
    const itemId = first === "items" && typeof index === "number" ? items?.[index] : undefined;
    yield itemId === undefined
      ? { ...reference, target: { of, id } }
      : { ...reference, target: { of: "item", id: itemId, in: id }, path: rest };
  }
}

/** Returns the ids of a block's items in order, or undefined if an id is missing or not unique. */
export function itemsById(block: JsonObject): readonly string[] | undefined {
  const ids = entriesOf(block["items"]).map((item) => idOf(item) ?? "");
  return new Set(ids).size === ids.length && !ids.includes("") ? ids : undefined;
}

type Place = { readonly path: Path; readonly key: string; readonly inCode: boolean; readonly isRead: boolean };

function collect(value: unknown, place: Place, found: Reference[]): void {
  if (typeof value === "string") {
    collectText(value, place, found);
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) collect(entry, { ...place, path: [...place.path, index] }, found);
  } else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "string" && typeof inner !== "object") continue;
      const isRead = place.isRead || key === "comparisons";
      const inCode = place.inCode || keysOfCode.has(key);
      collect(inner, { path: [...place.path, key], key, inCode, isRead }, found);
    }
  }
}

function collectText(text: string, { path, key, inCode, isRead }: Place, found: Reference[]): void {
  if (text === "") return;
  const named = Object.hasOwn(keysOfIds, key) ? keysOfIds[key] : undefined;
  if (named) {
    found.push({ ...named, value: text, path });
  } else if (/[vV]ariableId$/.test(key)) {
    found.push({ to: "variable", value: text, how: isRead || keysThatRead.has(key) ? "read" : "write", path });
  } else {
    for (const { inner, how, isWrite } of namesIn(text, inCode))
      found.push({ to: "name", value: inner, how: isWrite ? "write" : how, path });
  }
}

/** Returns whether the block is a Code block, in which `content` is code. In other blocks `content` is text. */
function isCodeBlock({ type }: JsonObject): boolean {
  return type === "Code";
}

/** A name in a text, from `start` (inclusive) to `end` (exclusive). */
export type NameSpan = {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
  readonly how: "text" | "code";
  /** Whether the name is in a call to `setVariable`. */
  readonly isWrite?: true;
};

/**
 * Returns the variable names in a text. As in rendering, inline code is recognised first, so the names inside inline
 * code are names in code.
 */
export function namesIn(text: string, isCode: boolean): NameSpan[] {
  const found: NameSpan[] = [];
  if (isCode) found.push(...settersIn(text));
  if (!text.includes("{{")) return found;
  if (isCode) {
    for (const span of mentions(text))
      found.push({ start: span.start + 2, end: span.end - 2, inner: span.inner, how: "code" });
    return found;
  }
  let from = 0;
  const add = (to: number) => {
    for (const { start, end, inner } of findVariables(text.slice(from, to))) {
      found.push({ start: from + start + 2, end: from + end - 2, inner, how: "text" });
    }
  };
  for (const { start, end, inner } of inlineCodes(text)) {
    add(start);
    for (const name of mentions(inner)) {
      found.push({ start: start + 3 + name.start + 2, end: start + 3 + name.end - 2, inner: name.inner, how: "code" });
    }
    from = end;
  }
  add(text.length);
  return found;
}

const setter = /\bsetVariable\(\s*(["'`])([^"'`\\\n]+)\1/g;

/** Yields the variable names in calls to `setVariable`. */
function* settersIn(text: string): Generator<NameSpan> {
  if (!text.includes("setVariable")) return;
  for (const match of text.matchAll(setter)) {
    const [whole, , inner = ""] = match;
    const end = match.index + whole.length - 1;
    yield { start: end - inner.length, end, inner, how: "code", isWrite: true };
  }
}

/** Returns whether the text at a path of an entry is code. */
export function isCodeAt(thing: JsonObject, path: Path): boolean {
  return isCodeBlock(thing) || path.some((step) => typeof step === "string" && keysOfCode.has(step));
}
