import { render } from "../../interpreter/template.ts";
import { parseUntrustedJson } from "../../interpreter/untrusted-json.ts";
import type { View } from "../../interpreter/view.ts";
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

export function buildRequest(request: RequestSpec, view: View): BuiltRequest {
  const { method } = request;
  const headers = headersOf(request.headers ?? [], view);
  const body = methodsWithoutBody.has(method) ? undefined : bodyOf(request, headers, view);
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return {
    url: view.text(request.url + queryOf(request.queryParams ?? [], view)),
    method,
    headers: body?.isJson && !isTyped ? [...headers, ["Content-Type", "application/json"]] : headers,
    ...(body && { body: body.text, content: body.content }),
  };
}

const methodsWithoutBody = new Set(["GET", "HEAD", "TRACE", "CONNECT"]);

/** The last of one name wins. Pairs without a name or a value are left out. */
function headersOf(pairs: readonly KeyValue[], view: View): BuiltRequest["headers"] {
  const found = new Map<string, readonly [string, string]>();
  for (const { key, value } of pairs) {
    const name = view.text(key).trim();
    const text = view.text(value).trim();
    if (name === "" || text === "") continue;
    found.set(name.toLowerCase(), [name, name.toLowerCase() === "authorization" ? encodedBasic(text) : text]);
  }
  return [...found.values()];
}

/** Encodes the credentials of `Basic user:password`. Those with a colon are not encoded yet. */
function encodedBasic(value: string): string {
  const [scheme = ""] = /^basic\s+/i.exec(value) ?? [];
  const credentials = value.slice(scheme.length);
  if (scheme === "" || !credentials.includes(":")) return value;
  const bytes = new TextEncoder().encode(credentials);
  return scheme + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The query string. Values of one name are together, in the place of the first. */
function queryOf(pairs: readonly KeyValue[], view: View): string {
  const found = new Map<string, string[]>();
  for (const { key, value } of pairs) {
    const name = view.text(key);
    const text = view.text(value);
    if (name !== "" && text !== "") found.set(name, [...(found.get(name) ?? []), text]);
  }
  const encoded = [...found].flatMap(([name, values]) => values.map((value) => `${percent(name)}=${percent(value)}`));
  return encoded.length === 0 ? "" : `?${encoded.join("&")}`;
}

function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

type Body = { readonly text: string; readonly content: unknown; readonly isJson: boolean };

function bodyOf(request: RequestSpec, headers: BuiltRequest["headers"], view: View): Body | undefined {
  const text = bodyText(request, view);
  const json = parseUntrustedJson(text);
  if (!json) return text === "" ? undefined : { text, content: text, isJson: false };
  const content = json.value;
  if (!content) return undefined;
  const isForm = headers.some(([name, value]) => name === "Content-Type" && value.includes("x-www-form-urlencoded"));
  if (!isForm || typeof content !== "object") return { text, content, isJson: true };
  const form = formOf(content);
  return { text: form, content: form, isJson: false };
}

function bodyText({ body = "", isCustomBody }: RequestSpec, view: View): string {
  if (!isCustomBody || body === "" || body === "{{state}}") {
    const submitted = new Map([["submittedAt", new Date(view.now).toISOString()], ...knownValues(view, ",")]);
    return JSON.stringify(Object.fromEntries(submitted));
  }
  // Values are escaped for JSON strings, unless the body begins and ends with a reference.
  const isWhole = body.startsWith("{{") && body.endsWith("}}");
  return render(body, view.templates, isWhole ? "plain" : "json");
}

function formOf(content: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(content)) {
    form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}
