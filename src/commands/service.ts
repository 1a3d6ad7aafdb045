import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../config.ts";
import { textAt } from "../web/conversation/read.ts";
import { type Environment, UsageError } from "./command.ts";
import type { ServiceOptions } from "./service-options.ts";

type Method = "GET" | "POST" | "DELETE";

/** Calls the management API of a service. */
export type Service = (method: Method, path: string, body?: object) => Promise<unknown>;

/** The same where the answer is a file: it is read as the caller goes. */
export type Download = (path: string) => Promise<Response>;

/** A service, with a token for it. Throws a UsageError when there is none. */
export function openService(options: ServiceOptions, environment: Environment): Service {
  const send = openRequests(options, environment);
  return async (method, path, body) => (await send(method, path, body)).json().catch(() => undefined);
}

/** Files of a service, with the same token. */
export function openDownloads(options: ServiceOptions, environment: Environment): Download {
  const send = openRequests(options, environment);
  return (path) => send("GET", path);
}

function openRequests({ url, token: given }: ServiceOptions, environment: Environment) {
  const base = URL.parse(url);
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new UsageError(`--url must be an address such as http://localhost:3000, not "${url}".`);
  }
  const token = given ?? knownToken(environment);
  if (!token) throw new UsageError("Say which API token to use: --token, or PARLEY_TOKEN in the environment.");
  return async (method: Method, path: string, body?: object): Promise<Response> => {
    const address = new URL(path, base).href;
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new StartError(`No service answers at ${base.origin}: is it running there? (--url names another place.)`, {
        cause: error,
      });
    });
    if (response.ok) return response;
    const answer: unknown = await response.json().catch(() => undefined);
    throw new StartError(textAt(answer, "message") ?? `The service answered with status ${response.status}.`);
  };
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
