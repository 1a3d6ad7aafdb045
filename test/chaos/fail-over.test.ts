import { expect, test } from "bun:test";
import { isOutage } from "../../src/platform/database/primary/outage.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { temporaryFolder } from "../support/folder.ts";
import { waitFor } from "../support/wait.ts";
import { runChaos } from "./chaos.ts";
import { pairIsMissing, startPair } from "./standby.ts";

const missing = pairIsMissing();
if (missing !== undefined) process.stdout.write(`The fail-over test is skipped: ${missing}\n`);

test.skipIf(missing !== undefined)(
  "when the primary is killed and its standby promoted, chats continue and no acknowledged data is lost",
  async () => {
    const report = await runChaos({
      conversations: sizeOf({ short: 8, long: 120 }),
      // A node of one process, and a node whose supervisor announces the new primary to its processes.
      nodes: [1, sizeOf({ short: 2, long: 4 })],
      kills: 0,
      databaseDeaths: 1,
      seed: 4,
      async openDatabase(folder) {
        const pair = await startPair(folder);
        return { url: pair.url, die: pair.failOver, stop: pair.stop };
      },
    });

    process.stdout.write(`fail-over: chats were answered again after ${report.recoveriesMs.join(", ")} ms\n`);
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(report.recoveriesMs).toHaveLength(1);
    expect(report.deaths).toEqual([]);
  },
  300_000,
);

test.skipIf(!isLong || missing !== undefined)(
  "connections to a primary that became read-only are closed, and are reopened once the primary accepts writes",
  async () => {
    await using ends = new AsyncDisposableStack();
    const folder = temporaryFolder();
    ends.defer(folder.remove);
    const pair = await startPair(folder.path);
    ends.defer(pair.stop);
    const sql = connect(pair.url, { connections: 2 });
    ends.defer(() => sql.end({ timeout: 0 }));
    const become = (value: "read-only" | "writable") =>
      pair.askPrimary(
        `alter system set default_transaction_read_only = ${value === "read-only" ? "on" : "off"}`,
        "select pg_reload_conf()",
      );
    await sql`create table words (word text)`;
    const failure = () =>
      sql`insert into words values ('word')`.then(
        () => undefined,
        (error: unknown) => error,
      );

    await become("read-only");
    const first = await waitFor(failure, { what: "a write to be refused" });
    const later = await waitFor(
      async () => {
        const found = await failure();
        return found instanceof Error && "code" in found && found.code === "NO_PRIMARY" ? found : undefined;
      },
      { what: "connections to be left" },
    );
    await become("writable");

    expect([first, later].map(isOutage)).toEqual([true, true]);
    await waitFor(async () => (await failure()) === undefined, { what: "writes to be taken" });
  },
  60_000,
);
