import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ClusterServer, clusterIsMissing } from "../support/cluster.ts";
import { longTest } from "../support/long-test.ts";
import { createMigratedCluster, type MigratedCluster } from "../support/migrated-cluster.ts";
import { cleanupStack, endService, runCommand, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(120_000);

const missing = clusterIsMissing();
const shared = cleanupStack();
const cleanups = cleanupStack();
let cluster: MigratedCluster;

beforeAll(async () => {
  if (missing === undefined) cluster = await createMigratedCluster({ file: shared, test: cleanups });
});
afterEach(cleanups.run);
afterAll(shared.run);

const older = "accepts writes on timeline 1, but the database has continued on timeline 2 on another server";

function environmentOf(...servers: readonly ClusterServer[]): Record<string, string> {
  return { DATABASE_URL: cluster.urlOf(...servers), DATA_DIR: cleanups.folder() };
}

async function databaseFinding(environment: Record<string, string>) {
  const { stdout } = await runCommand(["doctor", "--json"], { environment });
  const { findings }: { findings: { what: string; state: string; says: string; todo?: string }[] } = JSON.parse(stdout);
  return findings.find(({ what }) => what === "Database servers");
}

describe.skipIf(missing !== undefined)("an old primary that accepts writes", () => {
  test("an old primary is reported, and is used only after parley primary --accept", async () => {
    const { old, promoted } = await cluster.startDivided();
    const environment = environmentOf(old, promoted);
    const service = await startService({
      environment: { ...environment, METRICS_PUBLIC: "on", APP_PORT: "off", WORKER_THREADS: "1" },
    });
    cleanups.add(() => endService(service));
    const metrics = async () => await (await fetch(`${service.url}/metrics`)).text();

    const log = await waitFor(() => service.stderr().includes("accepts writes but is not used") && service.stderr());
    expect(log).toContain(`"why":"${older}"`);
    const printed = await metrics();
    expect(printed).toContain(`parley_database_server_state{server="${old.host}",state="refused"} 1`);
    expect(printed).toContain(`parley_database_server_state{server="${promoted.host}",state="serving"} 1`);
    expect(printed).toContain(`parley_database_server_timeline{server="${promoted.host}"} 2`);
    expect(await databaseFinding(environment)).toEqual({
      what: "Database servers",
      state: "doubtful",
      says: `${old.host} is rejected, because it ${older}; ${promoted.host} is serving on timeline 2`,
      todo: "Make it a standby of the primary, or stop it. To use it as the primary: parley primary --accept <host:port>.",
    });
    const shown = await runCommand(["primary"], { environment });
    expect(shown.stdout).toBe(`${old.host}: refused, timeline 1: it ${older}\n${promoted.host}: serving, timeline 2\n`);

    const accepted = await runCommand(["primary", "--accept", old.host, "--json"], { environment });

    expect(JSON.parse(accepted.stdout)).toEqual({
      servers: [
        { server: old.host, timeline: 1, state: "serving" },
        {
          ...{ server: promoted.host, timeline: 2, state: "refused" },
          why: "accepts writes, but another server was chosen with parley primary --accept",
        },
      ],
    });
    await waitFor(
      async () => (await metrics()).includes(`parley_database_server_state{server="${old.host}",state="serving"} 1`),
      { withinMs: 60_000, what: "the node to go over to the accepted server" },
    );
    expect(service.stderr()).toContain("Another server of the database is now in use");
    expect((await fetch(`${service.url}/api/readyz`)).status).toBe(200);
  });

  longTest("an old primary prevents the start of a node if a newer timeline is known", async () => {
    const { old, promoted } = await cluster.startDivided();
    const noted = `insert into known_timelines (system_identifier, timeline) select system_identifier::text, 2 from pg_control_system()`;
    await old.ask(noted);
    await promoted.end();
    const environment = environmentOf(promoted, old);

    const { exitCode, stderr } = await runCommand(["serve"], { environment });

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`no server is known to be the primary (${old.host} ${older})`);
    expect(stderr).toContain("parley primary --accept");
    expect(await databaseFinding(environment)).toMatchObject({ state: "wrong" });
  });
});

describe("parley primary --accept", () => {
  const nowhere = { DATABASE_URL: "postgres://parley@127.0.0.1:1/parley" };

  test.each([
    [
      "a server that DATABASE_URL does not name",
      nowhere,
      "other:5432",
      "DATABASE_URL names 127.0.0.1:1, but not other:5432.",
    ],
    [
      "a server that accepts no writes",
      nowhere,
      "127.0.0.1:1",
      "127.0.0.1:1 accepts no writes, so it cannot be the primary.",
    ],
    [
      "any server for an embedded database",
      {},
      "127.0.0.1:1",
      "The embedded database has one server: there is nothing to choose.",
    ],
  ])("parley primary --accept rejects %s", async (_, environment, server, sentence) => {
    const { exitCode, stderr } = await runCommand(["primary", "--accept", server], { environment });

    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `${sentence}\n` });
  });
});
