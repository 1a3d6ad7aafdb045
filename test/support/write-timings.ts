import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Updates test/timings.json: the duration of each file in the last complete run in this checkout, in milliseconds. */
const root = join(import.meta.dir, "../..");
const { version, files } = JSON.parse(readFileSync(join(root, ".bun/timings.json"), "utf8"));
const known = Object.entries<number>(files)
  .filter(([path]) => existsSync(join(root, path)))
  .map(([path, ms]): [string, number] => [path, Math.ceil(ms / 100) * 100])
  .toSorted(([onePath, one], [otherPath, other]) => other - one || (onePath < otherPath ? -1 : 1));
await Bun.write(
  join(root, "test/timings.json"),
  `${JSON.stringify({ version, files: Object.fromEntries(known) }, null, 2)}\n`,
);
process.stdout.write(`${known.length} files\n`);
