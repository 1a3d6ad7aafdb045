import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { StartError } from "../../config.ts";
import { reasonOf } from "../thrown.ts";
import type { PackedPrograms } from "./packed.ts";

/**
 * Unpacks the programs into a separate folder below `below`, unless all files already exist unchanged, and returns the
 * folder. Programs of other releases are removed. The caller must hold the lock of DATA_DIR. Throws a StartError that
 * names the remedy.
 */
export function unpackPrograms(packed: PackedPrograms, below: string): string {
  const folder = join(below, packed.name);
  try {
    if (!isWhole(packed, folder)) {
      rmSync(below, { recursive: true, force: true });
      const unfinished = join(below, "unfinished");
      write(packed, unfinished);
      if (!isWhole(packed, unfinished)) throw new Error(`${unfinished} differs from the data that was written to it`);
      renameSync(unfinished, folder);
    }
    for (const other of readdirSync(below)) {
      if (other !== packed.name) rmSync(join(below, other), { recursive: true, force: true });
    }
    return folder;
  } catch (error) {
    throw new StartError(
      `The embedded PostgreSQL cannot be unpacked: ${reasonOf(error)}. Make ${below} writable, with ${megabytes(packed)} MB of free space, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Whether every file is unchanged, so that a broken disk or an incomplete copy is detected before the database fails.
 * Verifying 45 MB takes 50 ms.
 */
function isWhole({ files, links }: PackedPrograms, folder: string): boolean {
  try {
    return (
      files.every(({ path, sha256 }) => {
        const bytes = readFileSync(join(folder, path));
        return new Bun.CryptoHasher("sha256").update(bytes).digest("hex") === sha256;
      }) && links.every(({ path, target }) => readlinkSync(join(folder, path)) === target)
    );
  } catch {
    return false;
  }
}

function write({ archive, files, links }: PackedPrograms, folder: string): void {
  const contents = Bun.zstdDecompressSync(readFileSync(archive));
  let start = 0;
  for (const { path, size, isProgram } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents.subarray(start, start + size));
    chmodSync(file, isProgram ? 0o755 : 0o644);
    start += size;
  }
  for (const { path, target } of links) symlinkSync(target, join(folder, path));
}

function megabytes({ files }: PackedPrograms): number {
  return Math.ceil(files.reduce((sum, { size }) => sum + size, 0) / 1_000_000);
}
