import { Kind, KindGuard, type TObject, type TSchema } from "@sinclair/typebox";
import { cleanText } from "../../core/documents/incoming-json.ts";
import { limits } from "../../limits/index.ts";
import { nearestOf } from "./nearest.ts";
import { partOf } from "./query.ts";
import { type Issue, invalidInput } from "./requests/invalid-input.ts";

type ReceivedRequest = {
  readonly search: string;
  readonly body: unknown;
  readonly answerHeaders: Record<string, string>;
};

/**
 * Returns a function that reports unknown names in a request, or rejects the request if the client is strict. Bodies of
 * chats are checked only for strict clients, so that ordinary steps stay fast.
 */
export function createReportIgnored(known: { query: TObject; body: TSchema | undefined; isBodyReported: boolean }) {
  return (headers: Headers, { search, body, answerHeaders }: ReceivedRequest): void => {
    const strict = isStrict(headers);
    if (!strict && search === "" && !known.isBodyReported) return;
    const inQuery = ignoredInQuery(search, known.query);
    const inBody = known.body && (known.isBodyReported || strict) ? ignoredInBody(body, known.body) : [];
    const ignored = [...inQuery, ...inBody];
    if (strict && ignored.length > 0) refuseIgnored(ignored);
    if (strict) answerHeaders["Preference-Applied"] = "handling=strict";
    if (ignored.length > 0) answerHeaders["Parley-Ignored"] = ignoredHeader(ignored);
  };
}

/**
 * Returns a function that reports the prefilled variables that a start may not set in this flow. They are reported as
 * unknown keys. For a strict client, the function throws `request.invalid` instead. A start may load its flow twice,
 * and then only the last report is used.
 */
export function createReportPrefilled(headers: Headers, answerHeaders: Record<string, string>) {
  const before = answerHeaders["Parley-Ignored"];
  return (names: readonly string[]): void => {
    const paths = names.map((name) => `prefilledVariables.${name}`);
    if (paths.length > 0 && isStrict(headers)) {
      throw invalidInput(paths.map((path) => ({ path, message: "cannot be prefilled" })));
    }
    const ignored = paths.map((path) => ({ place: "body", path, nearest: undefined }) as const);
    const shown = [before, ...(ignored.length > 0 ? [ignoredHeader(ignored)] : [])].filter(
      (part) => part !== undefined,
    );
    if (shown.length > 0) answerHeaders["Parley-Ignored"] = shown.join(", ");
    else delete answerHeaders["Parley-Ignored"];
  };
}

/** Reports the parameters of a page's address that set no variable. */
export function reportInAddress(answer: Headers, names: readonly string[]): void {
  const ignored = names.map((path) => ({ place: "query", path, nearest: undefined }) as const);
  if (ignored.length > 0) answer.set("Parley-Ignored", ignoredHeader(ignored));
}

/** An unknown query parameter or body key, and the most similar known name, if any. */
type Ignored = {
  readonly place: "query" | "body";
  /** The path of the key, for example `bot.nmae`. */
  readonly path: string;
  readonly nearest: string | undefined;
};

/** Returns the query parameters that the schema does not define. */
function ignoredInQuery(search: string, schema: TObject): Ignored[] {
  if (search === "") return [];
  const known = Object.keys(schema.properties);
  const names = new Set(new URLSearchParams(search).keys());
  return [...names]
    .filter((name) => name !== "" && !known.includes(name) && !isOfRecord(name, schema))
    .slice(0, limits.request.issues)
    .map((name) => ({ place: "query", path: cleanText(name), nearest: nearestOf(name, known) }));
}

/** Whether a parameter is an entry of a record, in the format that `readQuery` parses. */
function isOfRecord(name: string, { properties }: TObject): boolean {
  return properties[partOf(name)?.record ?? ""]?.[Kind] === "Record";
}

/**
 * Returns the keys of a body that the schema does not define. Parts without a schema, in particular flows, are not
 * checked, because they keep unknown keys.
 */
function ignoredInBody(body: unknown, schema: TSchema): Ignored[] {
  const found: Ignored[] = [];
  collect(schema, { value: body, path: "", found });
  return found;
}

type Visit = { readonly value: unknown; readonly path: string; readonly found: Ignored[] };
type ObjectVisit = Visit & { readonly value: object };

function collect(schema: TSchema, { value, path, found }: Visit): void {
  const isLookedInto = value !== null && typeof value === "object" && !schema["keepsUnknown"];
  if (!isLookedInto || found.length >= limits.request.issues) return;
  if (KindGuard.IsUnion(schema)) {
    const choice = meantIn(schema.anyOf, value);
    if (choice) collect(choice, { value, path, found });
  } else if (KindGuard.IsArray(schema) && Array.isArray(value)) {
    if (isPlain(schema.items)) return;
    for (const [index, entry] of value.entries()) {
      if (found.length >= limits.request.issues) return;
      collect(schema.items, { value: entry, path: `${path}[${index}]`, found });
    }
  } else if (KindGuard.IsObject(schema) && schema.additionalProperties === undefined) {
    collectKeys(schema, { value, path, found });
  }
}

/**
 * Returns the choice that a value is meant to match. For a list, this is the first list. For an object, it is the
 * object whose constant fields have the same values, or otherwise the first object.
 */
function meantIn(choices: readonly TSchema[], value: object): TSchema | undefined {
  if (Array.isArray(value)) return choices.find(KindGuard.IsArray);
  const objects = choices.filter(KindGuard.IsObject);
  return objects.find((choice) => hasWordsOf(choice, value)) ?? objects.at(0);
}

function hasWordsOf({ properties }: TObject, value: object): boolean {
  return Object.entries(properties).every(
    ([key, { const: word }]) => word === undefined || Object.getOwnPropertyDescriptor(value, key)?.value === word,
  );
}

/** Whether a schema has no keys. Lists of texts may have millions of items, which need no check. */
function isPlain(schema: TSchema): boolean {
  return schema["type"] === "string" || schema["type"] === "number" || schema["type"] === "boolean";
}

function collectKeys({ properties }: TObject, { value, path, found }: ObjectVisit): void {
  // Iterates key by key and stops at the limit, because a list of 600,000 keys takes 0.3 s (Bun 1.4.4).
  for (const key in value) {
    if (found.length >= limits.request.issues) return;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = path === "" ? key : `${path}.${key}`;
    if (known) collect(known, { value: Reflect.get(value, key), path: below, found });
    else found.push({ place: "body", path: below, nearest: nearestOf(key, Object.keys(properties)) });
  }
}

/**
 * Formats the header `Parley-Ignored`: a list of strings with parameters (RFC 9651), such as
 * `"limt";in=query;nearest="limit"`. The length is limited, because proxies reject long headers.
 */
function ignoredHeader(ignored: readonly Ignored[]): string {
  const shown = ignored.slice(0, mostShown).map(({ place, path, nearest }) => {
    const meant = nearest === undefined ? "" : `;nearest=${quoted(nearest)}`;
    return `${quoted(path)};in=${place}${meant}`;
  });
  const more = ignored.length - shown.length;
  return [...shown, ...(more > 0 ? [`"";more=${more}`] : [])].join(", ");
}

const mostShown = 16;
const mostCharacters = 80;

/**
 * Quotes a text for a header. Characters outside of printable ASCII are percent-encoded, because a header cannot
 * contain them. `%` is encoded as well. A long text is truncated.
 */
function quoted(text: string): string {
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...`.toWellFormed() : text;
  const safe = cut.replaceAll(/[^\x20-\x7e]|%/gu, (character) => encodeURIComponent(character));
  return `"${safe.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Whether the client requests that unknown names are rejected: `Prefer: handling=strict` (RFC 7240). */
function isStrict(headers: Headers): boolean {
  const prefer = headers.get("prefer");
  return prefer !== null && /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(prefer);
}

/** Throws the error 400 that lists each unknown name with the most similar known name. */
function refuseIgnored(ignored: readonly Ignored[]): never {
  const issues: Issue[] = ignored.map(({ place, path, nearest }) => {
    const meant = nearest === undefined ? "" : `: did you mean ${nearest}`;
    return { path, message: `is not a known ${place === "query" ? "query parameter" : "key"}${meant}` };
  });
  throw invalidInput(issues);
}
