import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../field.ts";
import { between } from "../field.ts";

/**
 * The data volume has no free block for a while. The log is on another volume, so the database stays up, and rejects
 * writes that need space.
 */
export const diskFaults: readonly Fault[] = [
  {
    name: "the data volume is full",
    isMissing: ({ database }) => database.volume === undefined && "the database has no volume of its own",
    async strike({ database, random, lastsMs }) {
      const filler = join(database.volume ?? "", "filler");
      const until = performance.now() + between(random, lastsMs.least, lastsMs.most);
      // Space that the database frees in the meantime is filled again.
      while (performance.now() < until) {
        fill(filler);
        await Bun.sleep(100);
      }
      rmSync(filler, { force: true });
    },
  },
];

const partBytes = 1024 * 1024;

function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, ".."));
  const part = Buffer.alloc(partBytes);
  for (let free = bavail * bsize; free > 0; free -= partBytes) {
    try {
      writeFileSync(path, free < partBytes ? part.subarray(0, free) : part, { flag: "a" });
    } catch {
      return;
    }
  }
}
