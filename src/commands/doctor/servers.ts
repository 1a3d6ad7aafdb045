import type { Config } from "../../config.ts";
import { readFindings } from "../../platform/database/primary/database-servers.ts";
import { inspectAddress } from "../../platform/database/primary/primary-acceptance.ts";
import { about, type Finding } from "./finding.ts";

/** Finds the primary among several servers, and other servers that accept writes. */
export async function examineServers({ DATABASE_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const { fine, doubtful, wrong } = about("Database servers");
  const reports = readFindings(await inspectAddress(url));
  const refused = reports.filter(({ state }) => state === "refused");
  if (reports.length === 1 && refused.length === 0) return [];
  const says = reports.map(({ server, state, timeline, why }) => {
    const on = timeline === undefined ? "" : ` on timeline ${timeline}`;
    return why === undefined ? `${server} is ${state}${on}` : `${server} is refused: it ${why}`;
  });
  if (refused.length === 0) return [fine(says.join("; "))];
  const todo =
    "Make it a standby of the primary, or stop it. To choose it instead: parley primary --accept <host:port>.";
  const isServed = reports.some(({ state }) => state === "serving");
  return [isServed ? doubtful(says.join("; "), todo) : wrong(says.join("; "), todo)];
}
