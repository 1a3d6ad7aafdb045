import type { Operation } from "../../../../src/management/operations/operation.ts";
import type { Call } from "./rows.ts";

/** Returns the request of a call, on the native path or on the compatible path. */
export function requestOf(
  { method, path, params: schema }: Operation,
  call: Call,
  { headers: given, key }: { headers: Readonly<Record<string, string>>; key: string | undefined },
): Request {
  const values = call.params ?? {};
  const isCompatible = path.includes("/typebots");
  const filled = Object.keys(schema.properties).reduce((filling, name) => {
    const value = values[isCompatible ? name.replace("typebotId", "botId") : name];
    if (value === undefined) throw new Error(`The row of ${path} has no ${name}`);
    return filling.replace(`:${name}`, encodeURIComponent(value));
  }, path);
  const query = new URLSearchParams(call.query).toString();
  const headers = new Headers({ "Content-Type": call.text?.type ?? "application/json", ...given });
  if (key !== undefined) headers.set("Idempotency-Key", key);
  const body = call.text?.content ?? JSON.stringify(inDialect(call.body ?? {}, isCompatible));
  return new Request(`http://localhost${filled}${query && `?${query}`}`, {
    method,
    headers,
    ...(method === "GET" ? {} : { body }),
  });
}

function inDialect(body: object, isCompatible: boolean): object {
  if (!isCompatible || !("bot" in body)) return body;
  const { bot, ...rest } = body;
  return { ...rest, typebot: bot };
}
