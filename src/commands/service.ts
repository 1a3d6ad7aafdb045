import { existsSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { StartError } from "../config.ts";
import { type Answer, addressOf, type Input, type OperationName } from "../web/app/api/call.ts";
import { at, listAt, textAt } from "../web/conversation/read.ts";
import { type Environment, UsageError } from "./command.ts";
import { requireProxy } from "./proxy.ts";
import type { ServiceOptions } from "./service-options.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Calls the management API of a service, with untyped bodies and responses. */
export type Service = ReturnType<typeof openService>;

/** Calls an operation of the management API by its method and path, with the types of the OpenAPI document. */
export type Call = <Name extends OperationName>(
  name: Name,
  ...[input]: Record<string, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
) => Promise<Answer<Name>>;

/** Thrown when the service rejects a request. */
export class RefusedCall extends StartError {
  readonly status: number;
  /** `noun.reason`, or `http.STATUS` if the response is not from the service. */
  readonly code: string;
  readonly data: unknown;

  constructor(status: number, answer: unknown) {
    super(refusal(status, answer));
    this.status = status;
    this.code = textAt(answer, "code") ?? `http.${status}`;
    this.data = at(answer, "data");
  }
}

/**
 * Returns a function that calls a service with the token. The function returns undefined if a successful response is
 * not JSON. Throws a UsageError if there is no token.
 */
export function openService(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return async (method: Method, path: string, body?: object): Promise<unknown> =>
    (await accepted(await send(method, path, jsonOf(body)))).json().catch(() => undefined);
}

/**
 * Like `openService`, with the types of the operations. The function throws a StartError if a response is incomplete or
 * not JSON.
 */
export function openCalls(options: ServiceOptions, environment: Environment): Call {
  const send = openRequests(options, environment);
  return async (name, ...[input]) => {
    const [method, path] = partsOf(name);
    const { body, headers = {} } = jsonOf(input?.body);
    const response = await send(method, addressOf(path, input ?? {}), {
      headers: { ...headers, ...input?.headers },
      ...(body !== undefined && { body }),
    });
    if (response.status === 204) return undefined;
    return (await accepted(response)).json().catch((cause: unknown) => {
      throw new StartError(`The response of ${options.url} is not complete, or not JSON.`, { cause });
    });
  };
}

/**
 * Returns a function that downloads files of a service with the token. A download is no faster than the caller reads
 * it.
 */
export function openDownloads(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return async (path: string): Promise<Response> => accepted(await send("GET", path));
}

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: BodyInit };

/** The maximum number of attempts for a request that the service postpones. */
const attempts = 8;
const longestPauseMs = 60_000;

/**
 * Returns a function that sends requests with the token and returns the responses, including rejections. A request that
 * the service postpones is sent again a few times, after the requested time or at most a minute. A read may be
 * postponed with 429 or 503, and a write only with 429, which means that the write had no effect.
 *
 * Throws a UsageError if there is no token.
 */
export function openRequests({ url, token: given }: ServiceOptions, environment: Environment) {
  const base = readAddress(url, "--url");
  const token = given ?? knownToken(environment, url);
  if (!token) {
    const hint = isOnThisMachine(base) ? "" : " (DATA_DIR/admin-token is sent only to this machine)";
    throw new UsageError(`Set the API token: --token, or PARLEY_TOKEN in the environment${hint}.`);
  }
  return async (method: Method, path: string, { headers, body }: Sent = {}): Promise<Response> => {
    const address = new URL(path, base);
    // Only the named service gets the token.
    if (address.origin !== base.origin) throw new UsageError(`"${path}" is not a path of ${base.origin}.`);
    await requireProxy(base);
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body !== undefined && { body }),
      }).catch((cause: unknown) => {
        throw new StartError(noAnswer(base.origin), { cause });
      });
      const isPutOff = response.status === 429 || (method === "GET" && response.status === 503);
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      if (!isPutOff || attempt === attempts || !Number.isFinite(seconds)) return response;
      await response.body?.cancel();
      await Bun.sleep(Math.min(seconds * 1_000, longestPauseMs));
    }
  };
}

/** Returns a successful response. Throws a RefusedCall otherwise. */
async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new RefusedCall(response.status, await response.json().catch(() => undefined));
}

/** Returns the service's message with the names of the invalid fields. */
export function refusal(status: number, answer: unknown): string {
  const message = textAt(answer, "message") ?? `The service responded with status ${status}.`;
  const issues = listAt(answer, "data", "issues")
    .map((issue) => [textAt(issue, "path"), textAt(issue, "message")].filter(Boolean).join(" "))
    .filter((issue) => !message.includes(issue));
  return issues.length === 0 ? message : `${message} ${issues.join("; ")}.`;
}

function jsonOf(body: unknown): Sent {
  if (body === undefined) return {};
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function partsOf(name: OperationName): [Method, string] {
  const method = methods.find((each) => name.startsWith(`${each} `)) ?? "GET";
  return [method, name.slice(method.length + 1)];
}

/** Parses the method of a request, in upper or lower case; undefined for an unknown method. */
export function readMethod(text: string): Method | undefined {
  return methods.find((method) => method === text.toUpperCase());
}

/** Parses the address of a service. Throws a UsageError that names the option if the text is not an HTTP URL. */
export function readAddress(text: string, option: string): URL {
  const address = URL.parse(text);
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw new UsageError(`${option} must be an address such as http://localhost:3000, not "${text}".`);
}

export function noAnswer(origin: string): string {
  return `No service responds at ${origin}: is it running there? (Use --url for another address.)`;
}

/**
 * Returns the token in PARLEY_TOKEN. If it is not set and the address is on this machine, returns the token of the
 * service on this machine. Returns undefined if there is no token.
 */
export function knownToken(environment: Environment, url: string): string | undefined {
  const address = URL.parse(url);
  return environment["PARLEY_TOKEN"] ?? (address && isOnThisMachine(address) ? ownToken(environment) : undefined);
}

/**
 * Returns whether an address belongs to this machine. Host names other than `localhost` are not resolved, because a
 * name may resolve differently the next time. HOST is ignored, because it may come from a repository's `.env` file,
 * which Bun reads.
 */
export function isOnThisMachine({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (/^(?:.*\.)?localhost$|^127(?:\.\d+){3}$|^0\.0\.0\.0$|^::1?$/.test(host)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host));
}

/** Returns the token that the first start of a service stored on this machine; undefined if the file does not exist. */
function ownToken(environment: Environment): string | undefined {
  const path = join(environment["DATA_DIR"] ?? ".data", "admin-token");
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}
