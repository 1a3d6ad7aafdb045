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

/** Calls the management API of a service. */
export type Service = ReturnType<typeof openService>;

/** Calls an operation of the management API by its method and path, with the types of the OpenAPI document. */
export type Call = <Name extends OperationName>(
  name: Name,
  ...[input]: Record<string, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
) => Promise<Answer<Name>>;

/** The service answered with a refusal. */
export class RefusedCall extends StartError {
  readonly status: number;
  /** `noun.reason`, or `http.STATUS` of an answer that is not from the service. */
  readonly code: string;
  readonly data: unknown;

  constructor(status: number, answer: unknown) {
    super(refusal(status, answer));
    this.status = status;
    this.code = textAt(answer, "code") ?? `http.${status}`;
    this.data = at(answer, "data");
  }
}

/** A service, with a token for it. Throws a UsageError when there is none. */
export function openService(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return async (method: Method, path: string, body?: object): Promise<unknown> =>
    (await accepted(await send(method, path, jsonOf(body)))).json().catch(() => undefined);
}

/** Like `openService`, typed by the operations. */
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
      throw new StartError(`The answer of ${options.url} is not complete, or not JSON.`, { cause });
    });
  };
}

/** Files of a service, with the same token: each is read as fast as the caller reads. */
export function openDownloads(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return async (path: string): Promise<Response> => accepted(await send("GET", path));
}

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: BodyInit };

/** Maximum number of retries of a request that the service postponed. */
const attempts = 8;
const longestPauseMs = 60_000;

/**
 * Sends requests with the token and returns the answers, including refusals. A request that the service postpones is
 * sent again after the stated time: a write only at 429, because it had no effect.
 */
export function openRequests({ url, token: given }: ServiceOptions, environment: Environment) {
  const base = readAddress(url, "--url");
  const token = given ?? knownToken(environment, url);
  if (!token) {
    const hint = isOnThisMachine(base) ? "" : " (DATA_DIR/admin-token is sent to this machine only)";
    throw new UsageError(`Say which API token to use: --token, or PARLEY_TOKEN in the environment${hint}.`);
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

/** The response, unless it is a refusal. Throws a RefusedCall. */
async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new RefusedCall(response.status, await response.json().catch(() => undefined));
}

/** The service's message, with the names of the invalid fields. */
export function refusal(status: number, answer: unknown): string {
  const message = textAt(answer, "message") ?? `The service answered with status ${status}.`;
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

/** Reads the method of a request, in upper or lower case; undefined for an unknown one. */
export function readMethod(text: string): Method | undefined {
  return methods.find((method) => method === text.toUpperCase());
}

/** Reads the address of a service. Throws a UsageError. */
export function readAddress(text: string, option: string): URL {
  const address = URL.parse(text);
  if (address && /^https?:$/.test(address.protocol)) return address;
  throw new UsageError(`${option} must be an address such as http://localhost:3000, not "${text}".`);
}

export function noAnswer(origin: string): string {
  return `No service answers at ${origin}: is it running there? (--url names another place.)`;
}

/** The token of the environment, else that of the service on this machine, which is sent to no other machine. */
export function knownToken(environment: Environment, url: string): string | undefined {
  const address = URL.parse(url);
  return environment["PARLEY_TOKEN"] ?? (address && isOnThisMachine(address) ? ownToken(environment) : undefined);
}

/**
 * Whether an address is one of this machine. Other names are not resolved, and HOST does not count: a repository may
 * contain a file `.env`, which Bun reads, and a name may resolve differently the next time.
 */
export function isOnThisMachine({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (/^(?:.*\.)?localhost$|^127(?:\.\d+){3}$|^0\.0\.0\.0$|^::1?$/.test(host)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host));
}

/** The token that the first start of a service on this machine stored. */
function ownToken(environment: Environment): string | undefined {
  const path = join(environment["DATA_DIR"] ?? ".data", "admin-token");
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}
