import type { Config } from "../../config.ts";
import { listConnectionStates } from "../../management/channels/copies.sql.ts";
import { findMigrationState } from "../../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { about, type Finding } from "./finding.ts";

/** The maximum number of connections that are examined. */
const most = 100;

/** Examines the connections to messengers. Returns no findings if there are no connections or if tables are missing. */
export async function examineChannels(sql: Sql, config: Config): Promise<Finding[]> {
  const { fine, doubtful } = about("Messengers");
  const { missing } = await findMigrationState(sql);
  if (missing.length > 0) return [];
  const states = await listConnectionStates(sql, most);
  if (states.length === 0) return [];
  if (!config.CHANNELS) {
    return [
      doubtful(
        `CHANNELS=off: none of ${states.length} connections is active on this server`,
        "Set CHANNELS=on, unless this is a copy whose original is still running.",
      ),
    ];
  }
  const hasAddress = (config.CHAT_URL ?? config.PUBLIC_URL)?.startsWith("https:") === true;
  const findings = states.flatMap(({ name, isEnabled, disabledReason, failingSince, channel, isPolled }) => {
    if (!isEnabled && disabledReason !== "by_hand") {
      return [
        doubtful(
          `"${name}" is disabled (${disabledReason})`,
          'Run "parley channels check", then "parley channels enable".',
        ),
      ];
    }
    if (failingSince) {
      return [doubtful(`"${name}" has failed since ${failingSince.toISOString()}`, 'Run "parley channels check".')];
    }
    if (isEnabled && !isPolled && !hasAddress && channel !== "webhook") {
      return [doubtful(`"${name}" has no https address`, "Set CHAT_URL or PUBLIC_URL, or let the connection poll.")];
    }
    return [];
  });
  const enabled = states.filter(({ isEnabled }) => isEnabled).length;
  return findings.length > 0 ? findings : [fine(`${enabled} of ${states.length} connections are enabled`)];
}
