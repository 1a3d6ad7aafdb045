import { at, flagAt, isObject, type Json, listAt, textAt } from "./read.ts";
import type { Entry } from "./transcript.ts";
import type { Words } from "./words.ts";

/** What the server tells the page's script, as JSON in the page. */
export type PageData = {
  readonly publicId: string;
  /** Path of the page. */
  readonly path: string;
  /** A start's answer that is only shown, or a session's history. */
  readonly told: { readonly kind: "start" | "session"; readonly value: unknown };
  /** Sentences that the server put under the conversation. */
  readonly notes: readonly Entry[];
  readonly prefilled: Json;
  /** What the page says otherwise than in English. */
  readonly language: Partial<Words>;
  readonly isAuthorCodeDisabled: boolean;
};

/** Reads what the server told; it is from the same release. */
export function readPageData(text: string): PageData {
  const value: unknown = JSON.parse(text);
  const prefilled = at(value, "prefilled");
  const language = at(value, "language");
  return {
    publicId: textAt(value, "publicId") ?? "",
    path: textAt(value, "path") ?? "",
    told: {
      kind: textAt(value, "told", "kind") === "session" ? "session" : "start",
      value: at(value, "told", "value"),
    },
    notes: listAt(value, "notes").flatMap(readNote),
    prefilled: isObject(prefilled) ? prefilled : {},
    language: isObject(language) ? language : {},
    isAuthorCodeDisabled: flagAt(value, "isAuthorCodeDisabled") ?? false,
  };
}

function readNote(value: unknown): Entry[] {
  const text = textAt(value, "text");
  const link = textAt(value, "link");
  return text === undefined ? [] : [{ kind: "note", text, ...(link !== undefined && { link }) }];
}
