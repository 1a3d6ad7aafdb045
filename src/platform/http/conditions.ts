import { hash } from "node:crypto";
import { jsonAnswer } from "./json-answer.ts";
import { invalidInput } from "./requests/invalid-input.ts";

type Tagged = {
  readonly method: string;
  readonly host?: "management" | "chat" | "both";
  readonly auth: { readonly kind: "token" | "optional" | "none" };
  readonly answerType?: string | readonly string[];
  readonly shownWith?: Readonly<Record<string, unknown>>;
};

type Answered = {
  readonly updatedAt: Date | string | undefined;
  readonly headers: Headers;
  readonly answerHeaders: Record<string, string>;
};

/**
 * Whether the operation supports `If-None-Match`: a GET of the management API that requires a token and returns JSON.
 */
export function isTagged({ method, host = "management", auth, answerType }: Omit<Tagged, "shownWith">): boolean {
  const [type = "application/json"] = [answerType ?? []].flat();
  return method === "GET" && host === "management" && auth.kind === "token" && type === "application/json";
}

/**
 * Returns a function that sets `ETag` on an operation's responses, if they have a version or answer a GET that supports
 * `If-None-Match`. A GET gets the status 304 if the client already has the current tag.
 */
export function tagger({ shownWith, ...operation }: Tagged) {
  const isGet = isTagged(operation);
  return (written: unknown, { updatedAt, headers, answerHeaders }: Answered): unknown => {
    if (isGet) {
      const text = JSON.stringify(written);
      const tag = entityTag(text, updatedAt);
      answerHeaders["ETag"] = tag;
      return isKnown(headers, tag) ? new Response(null, { status: 304 }) : jsonAnswer(text);
    }
    if (updatedAt !== undefined)
      answerHeaders["ETag"] = entityTag(JSON.stringify(Object.assign({}, written, shownWith)), updatedAt);
    return written;
  };
}

/**
 * Returns the strong tag of a response, which depends on every byte of the content. If the resource has a version, the
 * tag begins with the version, and writes compare only the version. Different responses have different tags.
 */
function entityTag(text: string, updatedAt: Date | string | undefined): string {
  const content = hash("sha256", text, "base64url").slice(0, contentCharacters);
  const version = updatedAt === undefined ? "" : `${new Date(updatedAt).getTime().toString(36)}-`;
  return `"${version}${content}"`;
}

/** 22 base64url characters have more than 128 bits. */
const contentCharacters = 22;

/** Whether the header `If-None-Match` contains this tag or `*`. */
function isKnown(headers: Headers, tag: string): boolean {
  const header = headers.get("if-none-match");
  if (header === null) return false;
  return header.trim() === "*" || readTags(header, "If-None-Match").some(({ opaque }) => `"${opaque}"` === tag);
}

/**
 * Returns the versions in `If-Match`, which the request may overwrite. Returns undefined if the header is absent or
 * `*`. Weak tags and tags in an unknown format are ignored.
 */
export function readIfMatch(headers: Headers): readonly Date[] | undefined {
  const header = headers.get("if-match");
  if (header === null || header.trim() === "*") return undefined;
  return readTags(header, "If-Match").flatMap(({ isWeak, opaque }) => {
    const version = /^([0-9a-z]{1,9})-[\w-]{22}$/.exec(opaque)?.[1];
    return isWeak || version === undefined ? [] : [new Date(Number.parseInt(version, 36))];
  });
}

type Tag = { readonly isWeak: boolean; readonly opaque: string };

/** Parses a list of entity tags in the format of RFC 9110. */
function readTags(header: string, name: string): Tag[] {
  const isList =
    /^\s*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"|\*)?(?:\s*,\s*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?)*\s*$/.test(
      header,
    );
  const tags = [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, opaque = ""]) => ({
    isWeak: weak !== undefined,
    opaque,
  }));
  if (!isList || tags.length === 0) {
    throw invalidInput([
      { path: name, message: 'must be * or tags in the form of the ETag header, with their quotes: "…", "…"' },
    ]);
  }
  return tags;
}
