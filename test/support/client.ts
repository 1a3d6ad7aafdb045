import { type TSchema, Type } from "@sinclair/typebox";
import { type ErrorCode, errorCatalogue } from "../../src/errors.ts";
import type { Operation } from "../../src/management/operations/operation.ts";
import { listIssues } from "../../src/platform/http/requests/issues.ts";
import { oneOf } from "../../src/platform/http/schemas.ts";
import { checker, isErrorCode } from "../../src/platform/http/validation.ts";
import { operations } from "../../src/service/operations.ts";
import { noteError, noteOperation } from "./contract.ts";
import { ownPage } from "./sign-ins.ts";

export type RequestOptions = {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly rawBody?: string | FormData | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /**
   * Returns the value at a path such as `bot.groups.0.id`, or undefined. `bots.*.name` returns the list of all names.
   */
  at(path: string): unknown;
  /** Returns the text at a path. Throws if the value is not a text. */
  text(path: string): string;
  /** Returns the list at a path. Throws if the value is not a list. */
  list(path: string): readonly unknown[];
};

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/**
 * Sends requests and checks the responses against the contract. A wrong schema or an undocumented error fails the test.
 */
export type Client = Readonly<
  Record<"get" | "post" | "put" | "patch" | "delete", (path: string, options?: RequestOptions) => Promise<Answer>>
> & {
  readonly send: Send;
};

/**
 * Creates a client of an app that does not listen, or of a server at an address. If the server belongs to another
 * release, its responses are not checked against this contract. For the builder's listener, the client sends the
 * headers of the builder's page.
 */
export function createClient(
  target:
    | { readonly handle: (request: Request) => Promise<Response>; readonly isBuilder?: boolean }
    | { readonly baseUrl: string; readonly isOtherRelease?: boolean; readonly isBuilder?: boolean },
): Client {
  const isHeld = !("baseUrl" in target && target.isOtherRelease === true);
  const baseUrl = "baseUrl" in target ? target.baseUrl : "http://localhost";
  const handle = "baseUrl" in target ? (request: Request) => fetch(request) : target.handle;
  const { isBuilder = false } = target;
  const send: Send = async (method, path, given = {}) => {
    const options = isBuilder ? { ...given, headers: { ...ownPage, ...given.headers } } : given;
    const response = await handle(makeRequest(baseUrl, { method, path, options }));
    const text = await response.text();
    const body: unknown = method === "HEAD" || text === "" ? undefined : JSON.parse(text);
    const answer = { status: response.status, headers: response.headers, body };
    if (isHeld && method !== "HEAD" && method !== "OPTIONS") checkContract({ method, path, isBuilder }, answer);
    return readable(answer);
  };
  const as = (method: string) => (path: string, options?: RequestOptions) => send(method, path, options);
  return { send, get: as("GET"), post: as("POST"), put: as("PUT"), patch: as("PATCH"), delete: as("DELETE") };
}

/** Returns the value of parsed JSON at a path such as `groups.0.id`. `*` matches every entry of a list. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  const [key = "", ...rest] = path.split(".");
  const further = rest.join(".");
  if (key === "*") return Array.isArray(value) ? value.map((entry) => valueAt(entry, further)) : undefined;
  if (value === null || typeof value !== "object") return undefined;
  return valueAt(Object.getOwnPropertyDescriptor(value, key)?.value, further);
}

type Plain = { readonly status: number; readonly headers: Headers; readonly body: unknown };

function makeRequest(baseUrl: string, call: { method: string; path: string; options: RequestOptions }): Request {
  const { method, path, options } = call;
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.append(name, String(value));
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set("Authorization", `Bearer ${options.token}`);
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  // A form sets its own content type, which contains the boundary.
  const isTyped = body === undefined || body instanceof FormData || headers.has("Content-Type");
  if (!isTyped) headers.set("Content-Type", "application/json");
  return new Request(url.href, { method, headers, ...(body === undefined ? {} : { body }) });
}

function readable(answer: Plain): Answer {
  const at = (path: string) => valueAt(answer.body, path);
  return {
    ...answer,
    at,
    text(path) {
      const value = at(path);
      if (typeof value !== "string") throw new Error(`${path} is no text in ${JSON.stringify(answer.body)}`);
      return value;
    },
    list(path) {
      const value = at(path);
      if (!Array.isArray(value)) throw new Error(`${path} is no list in ${JSON.stringify(answer.body)}`);
      return value;
    },
  };
}

/** Throws if a response has a schema, an error or headers that its operation does not document. */
export function checkContract(
  { method, path, isBuilder = false }: { method: string; path: string; isBuilder?: boolean },
  answer: Plain,
): void {
  const called = findOperation(method, path.split("?").at(0) ?? "");
  const place = `${method} ${called?.operation.path ?? path} answered ${answer.status}`;
  if (!answer.headers.get("x-request-id")) throw new Error(`${place} without X-Request-Id`);
  if (!answer.headers.get("content-type")?.startsWith("application/json")) throw new Error(`${place} without JSON`);
  if (isBuilder) checkOwnOrigin(answer, place);
  else checkCors(called?.operation, answer, place);
  if (answer.status !== 200) {
    checkError(called?.operation, answer, place);
    return;
  }
  if (!called) throw new Error(`${place}, but it is not documented`);
  requireFit(
    called.checkAnswer().Check(answer.body),
    () => [...called.checkAnswer().Errors(answer.body)],
    answer,
    place,
  );
  noteOperation(called.operation);
}

function checkError(operation: Operation | undefined, answer: Plain, place: string): void {
  requireFit(checkErrorShape().Check(answer.body), () => [...checkErrorShape().Errors(answer.body)], answer, place);
  const code = codeOf(answer.body);
  const entry: { status: number; retryAfterSeconds?: number } = errorCatalogue[code];
  const allowed: readonly ErrorCode[] = operation?.errors ?? ["route.not_found", "route.method_not_allowed"];
  if (!allowed.includes(code))
    throw new Error(`${place} with ${code}, which it does not document: ${JSON.stringify(answer.body)}`);
  if (entry.status !== answer.status || valueAt(answer.body, "status") !== answer.status)
    throw new Error(`${place} with ${code}`);
  if (valueAt(answer.body, "requestId") !== answer.headers.get("x-request-id"))
    throw new Error(`${place} with two request ids`);
  if (answer.headers.has("retry-after") !== (entry.retryAfterSeconds !== undefined))
    throw new Error(`${place}: Retry-After`);
  if (answer.headers.has("allow") !== (answer.status === 405)) throw new Error(`${place}: Allow`);
  noteError(code);
}

function checkCors(operation: Operation | undefined, { headers }: Plain, place: string): void {
  if (!operation) return;
  const isOpen = headers.get("access-control-allow-origin") === "*";
  if (isOpen !== (operation.host === "chat")) throw new Error(`${place}: CORS`);
}

/** Throws if a page of another origin can read a response of the builder's listener. */
function checkOwnOrigin({ headers }: Plain, place: string): void {
  const isOwn = headers.get("cross-origin-resource-policy") === "same-origin";
  if (!isOwn || headers.has("access-control-allow-origin")) throw new Error(`${place}: another origin may read it`);
}

function requireFit(fits: boolean, errors: () => Parameters<typeof listIssues>[0], answer: Plain, place: string): void {
  if (fits) return;
  const issues = listIssues(errors(), answer.body).map(({ path, message }) => `${path} ${message}`);
  throw new Error(`${place}, which breaks its schema: ${issues.join("; ")}\n${JSON.stringify(answer.body)}`);
}

function codeOf(body: unknown): ErrorCode {
  const code = valueAt(body, "code");
  if (!isErrorCode(code)) throw new Error(`${String(code)} is not in the catalogue`);
  return code;
}

const checkErrorShape = checker(
  Type.Object(
    {
      code: oneOf(Object.keys(errorCatalogue)),
      status: Type.Integer(),
      message: Type.String({ minLength: 1 }),
      requestId: Type.String({ minLength: 1 }),
      data: Type.Optional(Type.Object({})),
    },
    { additionalProperties: false },
  ),
);

const known = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, "[^/]+")}/?$`),
  parameters: operation.path.split(":").length,
  checkAnswer: checker<TSchema>(operation.answer),
}));
// A static path segment has priority over a parameter, as in the router.
known.sort((one, other) => one.parameters - other.parameters);

function findOperation(method: string, path: string) {
  return known.find(({ operation, pattern }) => operation.method === method && pattern.test(path));
}
