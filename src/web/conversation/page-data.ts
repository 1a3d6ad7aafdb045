import { at, flagAt, isObject, type Json, listAt, textAt } from "./read.ts";
import type { Entry } from "./transcript.ts";
import type { Words } from "./words.ts";

/** The server's data for the page's script, as JSON in the page. */
export type PageData = {
  readonly publicId: string;
  /** Path of the page. */
  readonly path: string;
  /** What the page shows: the response of a first step without a session, or a session's history. */
  readonly initial: { readonly kind: "start" | "session"; readonly value: unknown };
  /** Notes that the server put under the conversation. */
  readonly notes: readonly Entry[];
  readonly prefilled: Json;
  /** The page's words that are not English. */
  readonly language: Partial<Words>;
  readonly isAuthorCodeDisabled: boolean;
  /** What a page in a sandbox says of itself: its origin tells nobody. */
  readonly word?: string;
};

/** Reads the page's JSON, which is from the same release as the script. */
export function readPageData(text: string): PageData {
  const value: unknown = JSON.parse(text);
  const prefilled = at(value, "prefilled");
  const language = at(value, "language");
  const word = textAt(value, "word");
  return {
    publicId: textAt(value, "publicId") ?? "",
    path: textAt(value, "path") ?? "",
    initial: {
      kind: textAt(value, "initial", "kind") === "session" ? "session" : "start",
      value: at(value, "initial", "value"),
    },
    notes: listAt(value, "notes").flatMap(readNote),
    prefilled: isObject(prefilled) ? prefilled : {},
    language: isObject(language) ? language : {},
    isAuthorCodeDisabled: flagAt(value, "isAuthorCodeDisabled") ?? false,
    ...(word !== undefined && { word }),
  };
}

function readNote(value: unknown): Entry[] {
  const text = textAt(value, "text");
  const link = textAt(value, "link");
  return text === undefined ? [] : [{ kind: "note", text, ...(link !== undefined && { link }) }];
}
