import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../../src/platform/database/sql.ts";
import { commandPrefix } from "../../../src/platform/embedded/account.ts";
import { installedBinaries } from "../../../src/platform/embedded/binaries.ts";
import { openDataFolder } from "../../../src/platform/embedded/folders.ts";
import { startServer } from "../../../src/platform/embedded/server.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { cleanupStack, endService, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);
const libraries = ["x86_64", "aarch64"].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`);
const library = libraries.find((path) => existsSync(path));
const adminToken = "a-token-for-stepping-clocks";
const cleanups = cleanupStack();
afterEach(cleanups.run);

/** Starts a PostgreSQL that reads the time from a file with an offset in seconds. */
async function startDatabase(faketime: string) {
  const folders = openDataFolder(join(cleanups.folder(), "data"));
  const options = { folders, connections: 40, log: createLog("silent"), onLost() {} };
  const made = await startServer(options);
  await made.stop();
  const clock = join(cleanups.folder(), "clock");
  const set = (seconds: number) => {
    writeFileSync(clock, `${seconds < 0 ? "" : "+"}${seconds}`);
    chmodSync(clock, 0o644);
  };
  set(0);
  const flags = [
    "listen_addresses=",
    `unix_socket_directories=${folders.socket}`,
    "max_connections=40",
    "timezone=UTC",
  ];
  const command = [installedBinaries().postgres, "-D", folders.data, ...flags.flatMap((flag) => ["-c", flag])];
  const server = Bun.spawn([...commandPrefix(folders.data), ...command], {
    env: {
      ...{ PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", TZ: "UTC", LD_PRELOAD: faketime },
      ...{ FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: "1", DONT_FAKE_MONOTONIC: "1" },
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
  cleanups.add(async () => {
    server.kill("SIGQUIT");
    await server.exited;
  });
  const sql = connect(made.url, { connections: 1 });
  cleanups.add(() => sql.end());
  const now = () => sql<[{ now: Date }]>`select now()`.then(([row]) => row.now.getTime());
  await waitFor(() => now().catch(() => false));
  return { url: made.url, sql, set, now };
}

test.skipIf(library === undefined)(
  "a service stores all answers in order while the system clock of its database is set back and forth",
  async () => {
    const database = await startDatabase(library ?? "");
    const service = await startService({
      environment: { DATABASE_URL: database.url, DATA_DIR: cleanups.folder(), ADMIN_TOKEN: adminToken },
    });
    cleanups.add(() => endService(service));
    const client = createClient({ baseUrl: service.url });
    const workspace = await client.post("/api/v1/workspaces", { token: adminToken, body: { name: "Clocks" } });
    const owner = { token: adminToken, workspaceId: workspace.text("workspace.id") };
    const asksTwice = [
      asks("text input"),
      says("And?"),
      { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
    ];
    const { botId, publicId } = await publish(client, owner, flowOf(asksTwice));
    const started = await start(client, publicId);
    const steps = () =>
      service
        .stderr()
        .split("\n")
        .filter((line) => line.includes("clock has stepped"));

    const directions = ["back", "back", "back", "forward"];
    const said: string[] = [];
    for (const offset of [0, -600, -4_200, -90_000, -86_400]) {
      const before = steps().length;
      database.set(offset);
      expect(Math.abs((await database.now()) - Date.now() - 1_000 * offset)).toBeLessThan(5_000);
      said.push(`at ${offset}`);
      expect((await say(client, started.text("sessionId"), `at ${offset}`)).status).toBe(200);
      if (offset === 0) continue;
      const what = () => `a step to ${offset} to be noticed in ${service.stderr()}`;
      await waitFor(() => steps().length > before, { what });
    }

    const result = await client.get(`/api/v1/bots/${botId}/results/${started.text("resultId")}`, owner);
    expect(result.at("result.answers.*.content")).toEqual(said);
    expect(steps().map((line) => /stepped (back|forward)/.exec(line)?.[1])).toEqual(directions);
    const [ahead] = await database.sql`
      select from pgboss.version
      where cron_on > now()
      union all
      select from pgboss.job
      where state < 'completed' and greatest(created_on, started_on, heartbeat_on) > now()`;
    expect(ahead).toBeUndefined();
  },
);
