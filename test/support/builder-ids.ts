import { hash } from "node:crypto";
import { isJsonObject } from "../../src/core/interpreter/flow.ts";
import { derivedId } from "../../src/platform/ids.ts";

/**
 * Derives an id in the builder's format from a word, for the flows of tests. The id begins with a digit, like all ids
 * of the builder, so it is never a valid name in JavaScript.
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

/** Returns `count` ids that are derived from the word with a number. */
export function idsOf(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => idOf(`${word}${index}`));
}

/** A document whose flows have ids in the builder's format, and a function that restores the original ids. */
export type Renamed<Document> = {
  readonly document: Document;
  /**
   * Restores the original ids in a value that was derived from the document. The prefix `$_` of ids that are names in
   * code is removed.
   */
  original<Value>(value: Value): Value;
};

/** Replaces the ids of all parts in these lists of flows by ids in the builder's format, and updates all references. */
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
        // A visitor may enter the id of a choice as text.
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

/** Calls `found` for every id of a part of a flow, at any depth of a document. */
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
