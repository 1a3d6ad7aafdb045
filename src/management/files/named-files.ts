import type { Config } from "../../config.ts";
import { fileAddressesIn } from "../../core/lint/externals.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findMissingFiles } from "./workspace-files.sql.ts";

type Tools = { readonly sql: Sql; readonly config: Pick<Config, "CHAT_URL" | "PUBLIC_URL"> };

/**
 * Returns the addresses in a flow at which this service should show an author's file, but shows none, for example
 * because the file was deleted. Ignores addresses of other services.
 */
export async function findMissingAddresses({ sql, config }: Tools, flow: unknown): Promise<string[]> {
  const named = fileAddressesIn(flow).filter(({ origin }) => isOwn(config, origin));
  if (named.length === 0) return [];
  const missing = await findMissingFiles(
    sql,
    named.map(({ id }) => id),
  );
  return named.filter(({ id }) => missing.includes(id)).map(({ address }) => address);
}

/**
 * Whether an origin belongs to this service. Without a configured address, only this machine's own addresses belong to
 * the service.
 */
function isOwn({ CHAT_URL, PUBLIC_URL }: Tools["config"], origin: string): boolean {
  const configured = [CHAT_URL, PUBLIC_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
  if (configured.length > 0) return configured.includes(origin);
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(origin);
}
