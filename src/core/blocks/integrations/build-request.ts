import { isFormType, isWrittenAsJson, kindOfBody, writeBody } from "../../interpreter/language/request-body.ts";
import { tokenPrefix } from "../../interpreter/language/secret-tokens.ts";
import { render, type TemplateContext } from "../../interpreter/language/template.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import type { View } from "../../interpreter/program/view.ts";
import { knownValues } from "./known-values.ts";

/** A header or a query parameter. */
export type KeyValue = { readonly key?: string; readonly value?: string };

/** A request as its block has it, with variables. */
export type RequestSpec = {
  readonly method: string;
  readonly url: string;
  readonly headers?: readonly KeyValue[];
  readonly queryParams?: readonly KeyValue[];
  readonly body?: string;
  readonly isCustomBody: boolean;
};

/** A request with its variables replaced. */
export type BuiltRequest = {
  readonly url: string;
  readonly method: string;
  /** Names are unique, ignoring case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** The parsed body where it is JSON, else the body. */
  readonly content?: unknown;
  /** The author wrote JSON, but with its values the body is not JSON. */
  readonly isBroken?: true;
};

/** `templates` are those of the view, or those of a request that leaves from here: only the latter contain secrets. */
export function buildRequest(request: RequestSpec, view: View, templates: TemplateContext): BuiltRequest {
  const { method } = request;
  const headers = headersOf(request.headers ?? [], templates);
  const body = methodsWithoutBody.has(method) ? undefined : bodyOf(request, headers, { view, templates });
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return {
    url: withQuery(render(request.url, templates), queryOf(request.queryParams ?? [], templates)),
    method,
    headers: body?.isJson && !isTyped ? [...headers, ["Content-Type", "application/json"]] : headers,
    ...(body && { body: body.text, content: body.content, ...(body.isBroken && { isBroken: true }) }),
  };
}

const methodsWithoutBody = new Set(["GET", "HEAD", "TRACE", "CONNECT"]);

/** The last of several pairs with one name wins. Pairs without a name or a value are left out. */
function headersOf(pairs: readonly KeyValue[], templates: TemplateContext): BuiltRequest["headers"] {
  const found = new Map<string, readonly [string, string]>();
  for (const { key = "", value = "" } of pairs) {
    const name = render(key, templates).trim();
    const text = render(value, templates).trim();
    if (name === "" || text === "") continue;
    found.set(name.toLowerCase(), [name, name.toLowerCase() === "authorization" ? encodedBasic(text) : text]);
  }
  return [...found.values()];
}

/**
 * Encodes the credentials of `Basic user:password`. Credentials with a colon are not encoded yet; if they contain a
 * secret, they are encoded later.
 */
function encodedBasic(value: string): string {
  if (value.includes(tokenPrefix)) return value;
  const [scheme = ""] = /^basic\s+/i.exec(value) ?? [];
  const credentials = value.slice(scheme.length);
  if (scheme === "" || !credentials.includes(":")) return value;
  const bytes = new TextEncoder().encode(credentials);
  return scheme + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The query string. Values of one name are grouped, in the place of the first. */
function queryOf(pairs: readonly KeyValue[], templates: TemplateContext): string {
  const found = new Map<string, string[]>();
  for (const { key = "", value = "" } of pairs) {
    const name = render(key, templates);
    const text = render(value, templates);
    if (name !== "" && text !== "") found.set(name, [...(found.get(name) ?? []), text]);
  }
  const encoded = [...found].flatMap(([name, values]) => values.map((value) => `${percent(name)}=${percent(value)}`));
  return encoded.join("&");
}

/** An address with parameters after its own, and before its fragment. */
function withQuery(address: string, query: string): string {
  if (query === "") return address;
  const hash = address.indexOf("#");
  const [base, fragment] = hash < 0 ? [address, ""] : [address.slice(0, hash), address.slice(hash)];
  const joint = base.includes("?") ? (/[?&]$/.test(base) ? "" : "&") : "?";
  return base + joint + query + fragment;
}

function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

type Source = { readonly view: View; readonly templates: TemplateContext };

type Body = {
  readonly text: string;
  readonly content: unknown;
  readonly isJson: boolean;
  readonly isBroken?: boolean;
};

function bodyOf(request: RequestSpec, headers: BuiltRequest["headers"], source: Source): Body | undefined {
  const { body = "" } = request;
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const kind = isDefaultBody(request) ? undefined : kindOfBody(body, type);
  const text = kind === undefined ? allKnown(source.view) : writeBody(body, kind, source.templates);
  const json = parseUntrustedJson(text);
  if (!json) {
    const isBroken = kind === "json" && isWrittenAsJson(body);
    return text === "" ? undefined : { text, content: text, isJson: false, isBroken };
  }
  const content = json.value;
  if (!content) return undefined;
  // A text that was written for its type is already complete.
  const isForm = kind !== "form" && isFormType(type);
  if (!isForm || typeof content !== "object") return { text, content, isJson: true };
  const form = formOf(content);
  return { text: form, content: form, isJson: false };
}

/** Whether all answers and variables are sent. */
export function isDefaultBody({
  isCustomBody,
  body = "",
}: Pick<RequestSpec, "isCustomBody"> & { body?: string | undefined }): boolean {
  return !isCustomBody || body === "" || body === "{{state}}";
}

function allKnown(view: View): string {
  const submitted = new Map([["submittedAt", new Date(view.now).toISOString()], ...knownValues(view, ",")]);
  return JSON.stringify(Object.fromEntries(submitted));
}

function formOf(content: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(content)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}
