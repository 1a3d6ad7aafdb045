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
};

/** `templates` are those of the view, or the ones for a request that leaves from here: only those know secrets. */
export function buildRequest(request: RequestSpec, view: View, templates: TemplateContext): BuiltRequest {
  const { method } = request;
  const headers = headersOf(request.headers ?? [], templates);
  const body = methodsWithoutBody.has(method) ? undefined : bodyOf(request, headers, { view, templates });
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return {
    url: render(request.url + queryOf(request.queryParams ?? [], templates), templates),
    method,
    headers: body?.isJson && !isTyped ? [...headers, ["Content-Type", "application/json"]] : headers,
    ...(body && { body: body.text, content: body.content }),
  };
}

const methodsWithoutBody = new Set(["GET", "HEAD", "TRACE", "CONNECT"]);

/** The last of one name wins. Pairs without a name or a value are left out. */
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

/** Encodes the credentials of `Basic user:password`. Those with a colon are not encoded yet; with a secret inside it is done later. */
function encodedBasic(value: string): string {
  if (value.includes(tokenPrefix)) return value;
  const [scheme = ""] = /^basic\s+/i.exec(value) ?? [];
  const credentials = value.slice(scheme.length);
  if (scheme === "" || !credentials.includes(":")) return value;
  const bytes = new TextEncoder().encode(credentials);
  return scheme + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The query string. Values of one name are together, in the place of the first. */
function queryOf(pairs: readonly KeyValue[], templates: TemplateContext): string {
  const found = new Map<string, string[]>();
  for (const { key = "", value = "" } of pairs) {
    const name = render(key, templates);
    const text = render(value, templates);
    if (name !== "" && text !== "") found.set(name, [...(found.get(name) ?? []), text]);
  }
  const encoded = [...found].flatMap(([name, values]) => values.map((value) => `${percent(name)}=${percent(value)}`));
  return encoded.length === 0 ? "" : `?${encoded.join("&")}`;
}

function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

type Source = { readonly view: View; readonly templates: TemplateContext };

type Body = { readonly text: string; readonly content: unknown; readonly isJson: boolean };

function bodyOf(request: RequestSpec, headers: BuiltRequest["headers"], source: Source): Body | undefined {
  const text = bodyText(request, source);
  const json = parseUntrustedJson(text);
  if (!json) return text === "" ? undefined : { text, content: text, isJson: false };
  const content = json.value;
  if (!content) return undefined;
  const isForm = headers.some(([name, value]) => name === "Content-Type" && value.includes("x-www-form-urlencoded"));
  if (!isForm || typeof content !== "object") return { text, content, isJson: true };
  const form = formOf(content);
  return { text: form, content: form, isJson: false };
}

function bodyText({ body = "", isCustomBody }: RequestSpec, { view, templates }: Source): string {
  if (!isCustomBody || body === "" || body === "{{state}}") {
    const submitted = new Map([["submittedAt", new Date(view.now).toISOString()], ...knownValues(view, ",")]);
    return JSON.stringify(Object.fromEntries(submitted));
  }
  // Values are escaped for JSON strings, unless the body begins and ends with a reference.
  const isWhole = body.startsWith("{{") && body.endsWith("}}");
  return render(body, templates, isWhole ? "plain" : "json");
}

function formOf(content: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(content)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}
