import { limits } from "../../limits/index.ts";
import type { Dialect } from "../flow/dialect.ts";
import type { JsonObject } from "../interpreter/flow.ts";

/** The keys of a file that become parts of a bot, or that the service sets for every bot. */
const ownKeys = new Set([
  ...["version", "events", "groups", "edges", "variables", "theme", "settings"],
  ...["id", "name", "icon", "selectedThemeTemplateId", "resultsTablePreferences", "createdAt", "updatedAt", "editor"],
]);

/**
 * Returns the top-level keys of a file that are not part of a bot, up to the size limit (null if there are none).
 * `lost` contains the names of the keys that do not fit.
 */
export function extraKeysOf(
  file: object,
  dialect: Dialect,
): { readonly extra: JsonObject | null; readonly lost: string[] } {
  const kept: [string, unknown][] = [];
  const lost: string[] = [];
  let bytes = 2;
  for (const [key, value] of Object.entries(file)) {
    if (ownKeys.has(key) || value === undefined) continue;
    const name = dialect === "typebot" && key === "messengerCredentialsId" ? "whatsAppCredentialsId" : key;
    const size = Buffer.byteLength(JSON.stringify({ [name]: value }));
    if (bytes + size > limits.flow.extraBytes) lost.push(name);
    else {
      bytes += size;
      kept.push([name, value]);
    }
  }
  return { extra: kept.length === 0 ? null : Object.fromEntries(kept), lost };
}
