import { isObject, type Json } from "./read.ts";
import type { Entry } from "./transcript.ts";
import type { Words } from "./words.ts";

/** The data that the server passes to the page's script, as JSON in the page. */
export type PageData = {
  readonly publicId: string;
  readonly path: string;
  /** The content of the page: a first step without a session, or the history of a session. */
  readonly initial: { readonly kind: "start" | "session"; readonly value: unknown };
  /** Notes that the server added below the conversation. */
  readonly notes: readonly Entry[];
  readonly prefilled: Json;
  /**
   * The start of the chat on the page. `shown` contains encrypted facts of the displayed step and is valid only with
   * this key.
   */
  readonly start?: { readonly key: string; readonly shown: string };
  /** The texts of the page's language; empty for `en`. */
  readonly language: Partial<Words>;
  readonly isAuthorCodeDisabled: boolean;
  /** A signed token that identifies a sandboxed page, whose origin is opaque. */
  readonly word?: string;
};

/**
 * Reads the page's JSON; undefined if it is not an object. The types of its fields are trusted, because the JSON comes
 * from the same release as the script.
 */
export function readPageData(text: string): PageData | undefined {
  const data: unknown = JSON.parse(text);
  return isPageData(data) ? data : undefined;
}

function isPageData(data: unknown): data is PageData {
  return isObject(data);
}
