import type { TSchema } from "@sinclair/typebox";
import { namesIn } from "../editing/references/references.ts";
import { schemaOfBlock } from "../flow/known-keys.ts";
import { pathOf, type Trail } from "../flow/trail.ts";
import { type FlowBlock, isJsonObject, type JsonObject } from "../interpreter/flow.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";

/** A field that refers to a variable by id. */
export type VariableId = { readonly id: string; readonly path: string };

/**
 * A variable that a text mentions. `code`: in code, including inline code in a text. `condition`: in a condition.
 * `text`: in any other text.
 */
export type Mention = { readonly name: string; readonly path: string; readonly in: "text" | "code" | "condition" };

/** A block's references to variables and credentials, in the fields that the block type defines. */
export type BlockReferences = {
  readonly mentions: readonly Mention[];
  readonly reads: readonly (VariableId & { readonly in: "text" | "condition" })[];
  readonly writes: readonly VariableId[];
  /** `wanted`: the type of the credentials, if the field or a neighbouring field determines the type. */
  readonly credentials: readonly (VariableId & { readonly wanted?: string })[];
  /** Code that the block runs. */
  readonly codes: readonly string[];
};

type Collected = { -readonly [Key in keyof BlockReferences]: BlockReferences[Key][number][] };

export function referencesOf(block: FlowBlock, path: string, registry: BlockRegistry): BlockReferences {
  const found: Collected = { mentions: [], reads: [], writes: [], credentials: [], codes: [] };
  const schema = schemaOfBlock(block.type, registry);
  if (!schema) return found;
  const isServed = registry.has(block.type);
  const { content, options, items } = block;
  const properties: Readonly<Record<string, TSchema>> = schema.properties;
  for (const [key, value] of Object.entries({ content, options, items })) {
    const property = properties[key];
    if (property && value !== undefined)
      collect(value, property, { root: path, trail: [key], key, found, isServed, isCondition: false });
  }
  return found;
}

/** Returns the variables that are mentioned in a document without blocks, such as a theme or settings. */
export function mentionsIn(value: unknown, path: string): Mention[] {
  const found: Mention[] = [];
  const walk = (inner: unknown, at: string): void => {
    if (typeof inner === "string") addAll(found, mentionsOf(inner, at, "text"));
    else if (Array.isArray(inner)) for (const [index, element] of inner.entries()) walk(element, `${at}[${index}]`);
    else if (isJsonObject(inner)) for (const [key, element] of Object.entries(inner)) walk(element, `${at}.${key}`);
  };
  walk(value, path);
  return found;
}

type Place = {
  readonly root: string;
  readonly trail: Trail;
  readonly key: string;
  readonly found: Collected;
  /**
   * Whether the block type is supported. For an unsupported type, the keys of the fields determine which fields refer
   * to variables.
   */
  readonly isServed: boolean;
  readonly isCondition: boolean;
  /** The type of credentials, which is determined by the object that contains the field. */
  readonly wanted?: string;
};

function collect(value: unknown, schema: TSchema, place: Place): void {
  if (typeof value === "string") collectText(value, schema, place);
  else if (Array.isArray(value)) collectElements(value, schema["items"], place);
  else if (isJsonObject(value)) collectFields(value, schema, place);
}

function collectElements(list: readonly unknown[], schema: TSchema | undefined, place: Place): void {
  if (!schema) return;
  const isOpen = schema["type"] === undefined && schema["anyOf"] === undefined;
  const { root, trail, found } = place;
  for (const [index, element] of list.entries()) {
    trail.push(index);
    if (isOpen) addAll(found.mentions, mentionsIn(element, pathOf(root, trail)));
    else collect(element, schema, place);
    trail.pop();
  }
}

function collectFields(value: JsonObject, schema: TSchema, place: Place): void {
  const properties: Readonly<Record<string, TSchema>> | undefined = schema["properties"];
  if (!properties) return;
  if ("isEnabled" in properties && value["isEnabled"] !== true) return;
  const isCondition = place.isCondition || schema["isCondition"] === true;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    // Only texts, lists and objects can contain references.
    if (!property || (typeof inner !== "string" && typeof inner !== "object")) continue;
    place.trail.push(key);
    collect(inner, property, { ...place, key, isCondition, ...wantedBeside(key, value) });
    place.trail.pop();
  }
}

function collectText(text: string, schema: TSchema, place: Place): void {
  const { root, trail, key, found, isServed, isCondition, wanted } = place;
  if (text === "") return;
  if (schema["namesWrittenVariable"] === true) found.writes.push({ id: text, path: pathOf(root, trail) });
  else if (schema["namesReadVariable"] === true)
    found.reads.push({ id: text, path: pathOf(root, trail), in: isCondition ? "condition" : "text" });
  else if (credentialKeys.has(key)) {
    const type: unknown = wanted ?? schema["credentialsType"];
    found.credentials.push({ id: text, path: pathOf(root, trail), ...(typeof type === "string" && { wanted: type }) });
  } else if (!isServed && /[vV]ariableId$/.test(key)) found.writes.push({ id: text, path: pathOf(root, trail) });
  else {
    const isCode = schema["isCode"] === true;
    if (isCode) found.codes.push(text);
    if (text.includes("{{"))
      addAll(
        found.mentions,
        mentionsOf(text, pathOf(root, trail), isCondition ? "condition" : isCode ? "code" : "text"),
      );
  }
}

const credentialKeys = new Set(["credentialsId", "proxyCredentialsId"]);

function wantedBeside(key: string, { type }: JsonObject): Pick<Place, "wanted"> {
  return key === "credentialsId" && typeof type === "string" && type !== "" ? { wanted: type } : {};
}

/**
 * Adds elements to a list one by one, because a text may mention more variables than the maximum number of call
 * arguments.
 */
function addAll(list: Mention[], added: Iterable<Mention>): void {
  for (const mention of added) list.push(mention);
}

/**
 * Returns the distinct names in a text, in order. A name that occurs both in text and in inline code is returned twice.
 */
function mentionsOf(text: string, path: string, where: Mention["in"]): Iterable<Mention> {
  if (!text.includes("{{")) return [];
  // A body that consists of `{{state}}` means all answers and variables.
  if (text === "{{state}}") return [];
  const found = new Map<string, Mention>();
  for (const { inner: name, how } of namesIn(text, false)) {
    const place = where === "text" ? how : where;
    found.set(`${place} ${name}`, { name, path, in: place });
  }
  return found.values();
}
