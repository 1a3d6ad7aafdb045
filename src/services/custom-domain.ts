import type { Dependencies } from "../dependencies.ts";
import { limits } from "../limits.ts";
import { findPublicIdAt } from "../store/custom-domains.ts";

/** The public id of the bot whose custom domain is this host and path; undefined when there is none. */
export async function publicIdAt(deps: Dependencies, host: string, path: string): Promise<string | undefined> {
  const domain = host.replace(/:\d+$/, "") + path.replace(/\/+$/, "");
  if (!domain.includes(".") || domain.length > limits.fields.customDomainCharacters) return undefined;
  return findPublicIdAt(deps.sql, domain);
}
