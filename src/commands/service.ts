import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../config.ts";
import { textAt } from "../web/conversation/read.ts";
import { type Environment, UsageError } from "./command.ts";
import type { ServiceOptions } from "./service-options.ts";

type Method = "GET" | "POST" | "DELETE";

/** Calls the management API of a service. */
export type Service = ReturnType<typeof openService>;

/** A service, with a token for it. Throws a UsageError when there is none. */
export function openService(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return async (method: Method, path: string, body?: object): Promise<unknown> =>
    (await send(method, path, body)).json().catch(() => undefined);
}

/** Files of a service, with the same token: each is read as the caller goes. */
export function openDownloads(options: ServiceOptions, environment: Environment) {
  const send = openRequests(options, environment);
  return (path: string): Promise<Response> => send("GET", path);
}

function openRequests({ url, token: given }: ServiceOptions, environment: Environment) {
  const base = readAddress(url, "--url");
  const token = given ?? knownToken(environment);
  if (!token) throw new UsageError("Say which API token to use: --token, or PARLEY_TOKEN in the environment.");
  return async (method: Method, path: string, body?: object): Promise<Response> => {
    const address = new URL(path, base).href;
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new StartError(noAnswer(base.origin), { cause });
    });
    if (response.ok) return response;
    const answer: unknown = await response.json().catch(() => undefined);
    throw new StartError(textAt(answer, "message") ?? `The service answered with status ${response.status}.`);
  };
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

/** The token of the environment, else that of the service on this machine. */
export function knownToken(environment: Environment): string | undefined {
  return environment["PARLEY_TOKEN"] ?? ownToken(environment);
}

/** The token that the first start of a service on this machine kept. */
function ownToken(environment: Environment): string | undefined {
  const path = join(environment["DATA_DIR"] ?? ".data", "admin-token");
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}
