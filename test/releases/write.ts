import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createEmptyDatabase } from "../support/database.ts";
import { temporaryFolder } from "../support/folder.ts";
import { findReleaseState, listReleaseStates, unpackRelease } from "../support/last-release.ts";
import { makeSample } from "./make-sample.ts";
import { keptSamples, maxSampleBytes, sampleNames, samplePath } from "./samples.ts";

/**
 * Writes the sample of the release before the new migrations of this checkout, using the code of that release. With a
 * commit, uses the state of that commit. Removes the oldest samples beyond the maximum number.
 */
const [commit] = process.argv.slice(2);
const state = commit === undefined ? listReleaseStates(1)[0] : findReleaseState(commit);
if (state === undefined) throw new Error("There is no commit whose migrations are the first of this checkout's.");
const name = state.migration.replace(/\.sql$/, "");
process.stdout.write(`The code of ${state.commit.slice(0, 8)} makes test/releases/${name}.tar\n`);

const folder = temporaryFolder();
const database = await createEmptyDatabase();
try {
  rmSync(samplePath(name, "tar"), { force: true });
  const sample = await makeSample({
    command: unpackRelease(state.commit, folder.path),
    commit: state.commit,
    databaseUrl: database.url,
    dataFolder: join(folder.path, "data"),
    backup: samplePath(name, "tar"),
  });
  await Bun.write(samplePath(name, "json"), `${JSON.stringify(sample, undefined, 2)}\n`);
} finally {
  await database.close();
  folder.remove();
}
const { size } = statSync(samplePath(name, "tar"));
if (size > maxSampleBytes) throw new Error(`It has ${size} bytes, and ${maxSampleBytes} are allowed.`);
for (const old of sampleNames(readdirSync(import.meta.dir)).slice(0, -keptSamples)) {
  for (const ending of ["tar", "json"] as const) rmSync(samplePath(old, ending));
}
process.exit(0);
