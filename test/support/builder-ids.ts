import { hash } from "node:crypto";
import { isJsonObject } from "../../src/core/interpreter/flow.ts";
import { derivedId } from "../../src/platform/ids.ts";

/**
 * An id of the builder's kind that follows from a word: flows of tests take theirs from here. It begins with a digit,
 * like all of them: no such id is a name in JavaScript.
 */
export function idOf(word: string): string {
  const known = made.get(word);
  if (known !== undefined) return known;
  const id = derivedId(madeAt, hash("sha256", word, "buffer"));
  made.set(word, id);
  return id;
}

const made = new Map<string, string>();
const madeAt = new Date("2026-11-20T12:00:00.000Z");

/** This number of ids, numbered. */
export function idsOf(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => idOf(`${word}${index}`));
}

/** Documents whose flows have ids of the builder instead of their own, and the way back. */
export type Renamed<Document> = {
  readonly document: Document;
  /** Converts a value made from the document back to the former ids, and in code to those that code can use. */
  original<Value>(value: Value): Value;
};

/** Gives all parts in these lists of flows an id of the builder's kind, and changes all references. */
export function withBuilderIds<Document>(document: Document, of: readonly string[] = lists): Renamed<Document> {
  const ids = new Map<string, string>();
  const choices = new Map<string, string>();
  collect(document, (id, list) => {
    if (!of.includes(list)) return;
    ids.set(id, idOf(id));
    if (list === "items") choices.set(id, idOf(id));
  });
  const back = new Map([...ids].map(([id, built]) => [built, id]));
  return {
    document: JSON.parse(
      JSON.stringify(document, (key, value: unknown) => {
        // A visitor may enter the id of a choice.
        if (key === "say") return renamed(value, choices);
        return key === "id" || /Ids?$/.test(key) ? renamed(value, ids) : value;
      }),
    ),
    original: (value) =>
      JSON.parse(
        JSON.stringify(value).replaceAll(/(?:\$_)?(0[0-9a-z]{25})/g, (text, id: string) =>
          back.has(id) ? JSON.stringify(back.get(id)).slice(1, -1) : text,
        ),
      ),
  };
}

const lists = ["groups", "blocks", "items", "edges", "events", "variables"];

/** Every id of a part of a flow, at any place of a document. */
function collect(value: unknown, found: (id: string, list: string) => void): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isJsonObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    collect(inner, found);
    if (!lists.includes(key) || !Array.isArray(inner)) continue;
    for (const one of inner) if (isJsonObject(one) && typeof one["id"] === "string") found(one["id"], key);
  }
}

function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids));
  return typeof value === "string" ? (ids.get(value) ?? value) : value;
}
