import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "../../config.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

const keys = new WeakMap<Sql, () => Promise<Uint8Array>>();

/**
 * Returns an address that opens a private file for a limited time, because people on messengers have no login. `origin`
 * is used if the settings contain no origin.
 */
export async function openAddress(
  { sql, config }: { readonly sql: Sql; readonly config: Pick<Config, "CHAT_URL" | "PUBLIC_URL"> },
  fileName: string,
  { origin, now }: { readonly origin: string; readonly now: number },
): Promise<string> {
  const until = Math.floor(now / 1_000) + limits.channels.openAddressDays * 86_400;
  const chat = (config.CHAT_URL ?? config.PUBLIC_URL ?? origin).replace(/\/$/, "");
  return `${chat}/api/files/${fileName}?until=${until}&signature=${await signatureOf(sql, fileName, until)}`;
}

/**
 * Checks the signature in an address of a file. Returns `open` for a valid signature, `over` for an expired signature,
 * `unknown` for an invalid signature, and undefined if there is no signature.
 */
export async function readOpenAddress(
  sql: Sql,
  fileName: string,
  { query, now }: { readonly query: URLSearchParams; readonly now: number },
): Promise<"open" | "over" | "unknown" | undefined> {
  const given = query.get("signature");
  if (given === null) return undefined;
  const until = query.get("until") ?? "";
  if (!/^\d{1,12}$/.test(until)) return "unknown";
  const known = Buffer.from(await signatureOf(sql, fileName, Number(until)));
  const bytes = Buffer.from(given);
  if (known.length !== bytes.length || !timingSafeEqual(known, bytes)) return "unknown";
  return Number(until) * 1_000 < now ? "over" : "open";
}

async function signatureOf(sql: Sql, fileName: string, until: number): Promise<string> {
  const key = keys.get(sql) ?? createInstanceKey(sql, "file-addresses");
  keys.set(sql, key);
  return createHmac("sha256", await key())
    .update(JSON.stringify([fileName, until]))
    .digest("base64url");
}
