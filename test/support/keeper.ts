import { rmSync } from "node:fs";
import { connect } from "../../src/platform/database/sql.ts";
import { lockDataFolder, openDataFolder } from "../../src/platform/embedded/folders.ts";
import { startServer } from "../../src/platform/embedded/server.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { sharedFolder, testConnections, testSettings } from "./postgres.ts";

/** The shared test server stops after it had no clients for this time. */
const idleMs = 90_000;
const lookEveryMs = 5_000;

const log = createLog("info");
const folders = openDataFolder(sharedFolder);
const lock = lockDataFolder(folders);
if (lock) await keep(lock.release);

async function keep(release: () => void): Promise<void> {
  const server = await startServer({
    folders,
    connections: testConnections,
    log,
    settings: testSettings,
    onLost: (error) => {
      log.error(error.message);
      process.exit(1);
    },
  });
  const sql = connect(server.url, { connections: 1 });
  let idleSince = performance.now();
  while (performance.now() - idleSince < idleMs) {
    await Bun.sleep(lookEveryMs);
    const [use] = await sql<{ others: number }[]>`
      select count(*)::int as others
      from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    if (use && use.others > 0) idleSince = performance.now();
  }
  await sql.end();
  await server.stop();
  rmSync(folders.root, { recursive: true, force: true });
  release();
}
