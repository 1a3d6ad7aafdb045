import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isOutage } from "../../../src/platform/database/primary/outage.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { readyPid } from "../../../src/platform/embedded/leftover.ts";
import { startServer } from "../../../src/platform/embedded/server.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { childrenOf } from "../../../src/platform/processes/processor-time.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(60_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

let sql: Sql;
let postmaster: number;
beforeEach(async () => {
  const folders = openDataFolder(join(cleanups.folder(), "data"));
  const server = await startServer({ folders, connections: 20, log: createLog("silent"), onLost: () => {} });
  cleanups.add(server.stop);
  postmaster = readyPid(folders.data) ?? 0;
  sql = connect(server.url, { connections: 2, isBrief: true, probeTimes: { watchMs: 100, silenceMs: 1_000 } });
  cleanups.add(() => sql.end({ timeout: 0 }));
});

/** Suspends processes, like a paused container. Resumes them at the end of the test at the latest. */
function pause(pids: readonly number[]): () => void {
  const paused = [...pids];
  const go = () => {
    for (const pid of paused.splice(0)) process.kill(pid, "SIGCONT");
  };
  cleanups.add(go);
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return go;
}

async function backends(): Promise<number[]> {
  const ask = () => sql<[{ pid: number }]>`select pg_backend_pid() as pid, pg_sleep(0.1)`;
  return (await Promise.all([ask(), ask()])).map(([{ pid }]) => pid);
}

const ask = () =>
  sql`select 1`.then(
    () => "answered",
    (error: unknown) => (isOutage(error) ? "outage" : String(error)),
  );

test.skipIf(process.platform !== "linux")(
  "a hanging server is an outage for every caller, and is used again when the server continues",
  async () => {
    await backends();
    const goOn = pause([postmaster, ...childrenOf(postmaster)]);

    const asked = await Promise.all([ask(), ask(), ask(), ask()]);
    const askedLater = await ask();
    goOn();

    expect([...asked, askedLater]).toEqual(["outage", "outage", "outage", "outage", "outage"]);
    await waitFor(async () => (await ask()) === "answered");
  },
);

test("one hanging server process is abandoned, while the other processes respond", async () => {
  const [first = 0] = await backends();
  pause([first]);

  const asked = await Promise.all([ask(), ask()]);

  expect(asked.toSorted()).toEqual(["answered", "outage"]);
  expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(["answered", "answered", "answered", "answered"]);
});

test("open connections continue while the main process of PostgreSQL hangs", async () => {
  await backends();
  pause([postmaster]);

  expect(await Promise.all([ask(), ask()])).toEqual(["answered", "answered"]);
});
