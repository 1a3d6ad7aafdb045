import type { Config } from "../../config.ts";
import { createReplicaWatch } from "../../platform/database/replica/read-replica.ts";
import { connect, type Sql } from "../../platform/database/sql.ts";
import { about, type Finding } from "./finding.ts";

/** Whether the read replica of the database, if there is one, is one and keeps up. Nothing fails without it. */
export async function examineReplica(primary: Sql, { DATABASE_READ_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const { fine, doubtful } = about("Read replica");
  const replica = connect(url, { connections: 1, isReplica: true });
  try {
    const state = await createReplicaWatch({ primary, replica })();
    switch (state.kind) {
      case "fit":
        return [fine("at DATABASE_READ_URL, up to date")];
      case "behind":
        return [
          doubtful(
            "it is behind",
            "Until it catches up, lists are read from the primary: see pg_stat_replication there.",
          ),
        ];
      case "away":
        return [
          doubtful(state.why, "Lists are read from the primary: correct DATABASE_READ_URL, or start the replica."),
        ];
    }
  } finally {
    await replica.end({ timeout: 0 });
  }
}
