import { openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/platform/database/sql.ts";
import { lockDataFolder, openDataFolder } from "../../src/platform/embedded/folders.ts";
import { serverUrl } from "../../src/platform/embedded/server.ts";

/**
 * The environment variable with the address of the PostgreSQL server of this run. Set by test/run.ts for every test
 * process.
 */
export const serverVariable = "PARLEY_TEST_SERVER";

const startMs = 60_000;
const pollMs = 25;

/**
 * Returns the address of a PostgreSQL server for tests. test/run.ts starts a server for its run. Test files that run on
 * their own share one server per user, which stops after some idle time.
 */
export async function testServer(): Promise<string> {
  return process.env[serverVariable] ?? (await sharedServer());
}

/** The folder of the shared server's data. Its name contains the user, who owns the files. */
export const sharedFolder = join(tmpdir(), `parley-test-${process.getuid?.() ?? 0}`);

/** Settings for speed instead of durability, because test data is worthless after a crash. */
export const testSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "256MB",
  autovacuum: "off",
} as const;

export const testConnections = 400;

async function sharedServer(): Promise<string> {
  const folders = openDataFolder(sharedFolder);
  const url = serverUrl(folders);
  const until = performance.now() + startMs;
  let keeper: Bun.Subprocess | undefined;
  while (!(await answers(url))) {
    if (performance.now() > until) throw new Error(`The test database did not start: see ${sharedFolder}/keeper.log.`);
    const lock = lockDataFolder(folders);
    if (lock) {
      lock.release();
      if (keeper?.exitCode !== null) keeper = spawnKeeper(folders.root);
    }
    await Bun.sleep(pollMs);
  }
  keeper?.unref();
  return url;
}

async function answers(url: string): Promise<boolean> {
  const sql = connect(url, { connections: 1 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end();
  }
}

/** Starts the keeper of the shared server. It outlives this process, so that the next run finds a running server. */
function spawnKeeper(folder: string): Bun.Subprocess {
  const output = openSync(join(folder, "keeper.log"), "a");
  return Bun.spawn([process.execPath, join(import.meta.dir, "keeper.ts")], {
    detached: true,
    stdio: ["ignore", output, output],
  });
}
