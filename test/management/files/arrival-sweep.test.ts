import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { limits } from "../../../src/limits/index.ts";
import { startArrivalSweep } from "../../../src/management/files/arrival-sweep.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { openStorage } from "../../../src/platform/storage/open-storage.ts";
import type { Storage } from "../../../src/platform/storage/storage.ts";
import { cleanupStack } from "../../support/service.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

const hour = 3_600;

/** Creates a storage of the given kind. Its folder for arriving files contains files of the given ages in seconds. */
function storageWith(kind: string, files: Readonly<Record<string, number>>) {
  const folder = cleanups.folder();
  const s3 = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  const storage = openStorage(readConfig({ DATA_DIR: folder, ...(kind === "s3" && s3) }));
  // With S3, files arrive in the system's folder for temporary files, which all programs share. The test uses a
  // separate folder instead.
  const own: Pick<Storage, "arrivals"> = kind === "s3" ? { arrivals: join(folder, "arriving") } : storage;
  mkdirSync(own.arrivals, { recursive: true });
  for (const [name, secondsAgo] of Object.entries(files)) {
    const at = Date.now() / 1_000 - secondsAgo;
    writeFileSync(join(own.arrivals, name), "x");
    utimesSync(join(own.arrivals, name), at, at);
  }
  return { storage: own, path: storage.arrivals, names: () => readdirSync(own.arrivals).toSorted() };
}

test.each(["folder", "s3"])(
  "fragments of uploads are removed while a node runs, not only when the node starts (%s)",
  async (kind) => {
    const { storage, path, names } = storageWith(kind, { dead: 3 * hour, arriving: 0 });
    const clock = createVirtualClock();
    const sweep = startArrivalSweep({ storage, log: createLog("silent"), clock });
    cleanups.add(() => sweep.stop());

    expect(path).toMatch(kind === "s3" ? /parley-arriving$/ : /uploads\/arriving$/);
    await waitFor(() => !names().includes("dead"), { what: "the first sweep" });
    writeFileSync(join(storage.arrivals, "dead later"), "x");
    utimesSync(join(storage.arrivals, "dead later"), 1_000, 1_000);
    await waitFor(() => clock.timers() > 0, { what: "the pause behind it" });
    await clock.advance(15 * 60_000);
    await waitFor(() => !names().includes("dead later"), { what: "the next sweep" });
    expect(names()).toEqual(["arriving"]);
  },
);

test("a partly stored file is kept until its retention period ends", async () => {
  const keepSeconds = limits.resultExports.keepMs / 1_000;
  const { storage, names } = storageWith("folder", { export: keepSeconds + 60, dead: keepSeconds + 2 * hour });
  const sweep = startArrivalSweep({ storage, log: createLog("silent"), clock: createVirtualClock() });
  cleanups.add(() => sweep.stop());

  await waitFor(() => !names().includes("dead"), { what: "the sweep" });
  expect(names()).toEqual(["export"]);
});
