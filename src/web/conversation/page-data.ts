import { isObject, type Json } from "./read.ts";
import type { Entry } from "./transcript.ts";
import type { Words } from "./words.ts";

/** The server's data for the page's script, as JSON in the page. */
export type PageData = {
  readonly publicId: string;
  /** Path of the page. */
  readonly path: string;
  /** The content of the page: the response of a first step without a session, or a session's history. */
  readonly initial: { readonly kind: "start" | "session"; readonly value: unknown };
  /** Notes that the server put below the conversation. */
  readonly notes: readonly Entry[];
  readonly prefilled: Json;
  /** The start of the chat on the page: it is valid only under this key, and contains the shown content, sealed. */
  readonly start?: { readonly key: string; readonly shown: string };
  /** The page's words that are not English. */
  readonly language: Partial<Words>;
  readonly isAuthorCodeDisabled: boolean;
  /** The signed word that identifies a sandboxed page, whose origin is opaque. */
  readonly word?: string;
};

/** Reads the page's JSON, whose type is trusted: it comes from the same release as the script. */
export function readPageData(text: string): PageData | undefined {
  const data: unknown = JSON.parse(text);
  return isPageData(data) ? data : undefined;
}

function isPageData(data: unknown): data is PageData {
  return isObject(data);
}
