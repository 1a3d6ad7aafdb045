import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { StartError } from "../../config.ts";
import type { Objects } from "./objects.ts";
import { readSeal, seal, sumOf, unseal } from "./sealed.ts";

/**
 * A segment's name consists of a timeline, a log number and a segment number. A log number covers 4 GB, which is 256
 * segments of 16 MB.
 */
const segmentsEach = 0x100;
export const segmentBytes = 16 * 1024 * 1024;

const walName = /^[0-9A-F]{8}(\.history|[0-9A-F]{16}(\.[0-9A-F]{8}\.backup|\.partial)?)$/;

export function walObject(name: string): string {
  return `wal/${name}`;
}

/** Whether this is the name of a complete segment, rather than of a history, backup or partial file. */
export function isSegment(name: string): boolean {
  return /^[0-9A-F]{24}$/.test(name);
}

/** Returns the name of the segment that follows this segment. */
export function nextSegment(name: string): string {
  const [timeline, log, segment] = [name.slice(0, 8), name.slice(8, 16), name.slice(16)];
  const number = Number.parseInt(log, 16) * segmentsEach + Number.parseInt(segment, 16) + 1;
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");
  return `${timeline}${hex(Math.floor(number / segmentsEach))}${hex(number % segmentsEach)}`;
}

/**
 * Archives a file of PostgreSQL's log. PostgreSQL may repeat the call after a crash, so a file that is already archived
 * with the same content is not an error. If the call fails, PostgreSQL keeps the file and repeats the call.
 */
export async function keepWal(objects: Objects, { path, name }: { path: string; name: string }): Promise<void> {
  if (!walName.test(name)) throw new StartError(`${name} is not a WAL file of PostgreSQL.`);
  const object = walObject(name);
  const content = new Uint8Array(await readFile(path));
  const kept = await objects.get(object);
  if (kept !== undefined && (await isWhole(object, kept, content))) return;
  await objects.put(object, await seal(object, content, await writtenAt(path)));
}

/**
 * Returns the time of the last write to a file, rounded down. Writes after this time may be in the next file, even if
 * this file is archived much later.
 */
async function writtenAt(path: string): Promise<Date> {
  return new Date(Math.floor((await stat(path)).mtimeMs));
}

/**
 * Whether the archived file is intact and has this content. A damaged file, for example after a manual copy, is
 * overwritten. Throws a StartError if the first line names other content.
 */
async function isWhole(object: string, kept: Uint8Array<ArrayBuffer>, content: Uint8Array): Promise<boolean> {
  let head: ReturnType<typeof readSeal>;
  try {
    head = readSeal(object, kept);
  } catch {
    return false;
  }
  if (head.sha256 !== sumOf(content))
    throw new StartError(
      `The archive already contains another ${object}, because two databases are archived to the same place. Remove archive.json from the DATA_DIR that is a copy.`,
    );
  return await unseal(object, kept).then(
    () => true,
    () => false,
  );
}

/**
 * Writes an archived file to the path that PostgreSQL requests. Returns false if the archive has no file with this
 * name.
 */
export async function fetchWal(objects: Objects, { path, name }: { path: string; name: string }): Promise<boolean> {
  const object = walObject(basename(name));
  const kept = await objects.get(object);
  if (kept === undefined) return false;
  const { content } = await unseal(object, new Uint8Array(kept));
  await writeFile(`${path}.unfinished`, content, { mode: 0o600 });
  await rename(`${path}.unfinished`, path);
  return true;
}
