import { isFormType, isWrittenAsJson, kindOfBody, writeBody } from "../../interpreter/language/request-body.ts";
import { tokenPrefix } from "../../interpreter/language/secret-tokens.ts";
import { render, type TemplateContext } from "../../interpreter/language/template.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import type { View } from "../../interpreter/program/view.ts";
import { knownValues } from "./known-values.ts";

export type KeyValue = { readonly key?: string; readonly value?: string };

/** A request as stored in its block, with variables not yet replaced. */
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
  /** Header names are unique, ignoring case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** The parsed body if it is JSON, otherwise the text of the body. */
  readonly content?: unknown;
  /** Present if the author wrote JSON, but the body is no longer valid JSON after variables were replaced. */
  readonly isBroken?: true;
};

/**
 * Builds the request of a block. `templates` is the view's template context, or a context with secrets if this service
 * sends the request.
 */
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

/**
 * Returns the headers of a request. If several pairs have the same name, the last pair is used. Pairs without a name or
 * value are skipped.
 */
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
 * Encodes the credentials of `Basic user:password`. Credentials without a colon are already encoded. A value with a
 * secret is encoded later, when the secret is inserted.
 */
function encodedBasic(value: string): string {
  if (value.includes(tokenPrefix)) return value;
  const [scheme = ""] = /^basic\s+/i.exec(value) ?? [];
  const credentials = value.slice(scheme.length);
  if (scheme === "" || !credentials.includes(":")) return value;
  const bytes = new TextEncoder().encode(credentials);
  return scheme + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Builds the query string. Values with the same name are grouped at the position of the first value. */
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

/** Appends query parameters to an address, before its fragment. */
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
  // Text that the author already wrote in form encoding needs no conversion.
  const isForm = kind !== "form" && isFormType(type);
  if (!isForm || typeof content !== "object") return { text, content, isJson: true };
  const form = formOf(content);
  return { text: form, content: form, isJson: false };
}

/** Returns whether the body is the default one, which consists of all answers and variables. */
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
