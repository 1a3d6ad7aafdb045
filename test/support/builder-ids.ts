import { hash } from "node:crypto";
import { isJsonObject } from "../../src/core/interpreter/flow.ts";
import { derivedId } from "../../src/platform/ids.ts";

/**
 * An id as the builder makes them, which follows from a word: flows of tests take theirs from here. It begins with a
 * digit, as all of them do: no such id is a name in JavaScript.
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

/** As many as are wanted, by number. */
export function idsOf(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => idOf(`${word}${index}`));
}

/** Documents with flows in them that have the builder's ids in the place of their own, and the way back. */
export type Renamed<Document> = {
  readonly document: Document;
  /** Anything that was made from the document, with the former ids, and in code with those that code can use. */
  original<Value>(value: Value): Value;
};

/** Gives everything of these lists in flows an id of the builder's kind, and changes all references. */
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
        // A visitor may say the id of a choice.
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

/** Every id of the things in flows, at any place of a document. */
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
