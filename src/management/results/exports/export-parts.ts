import { limits } from "../../../limits/index.ts";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/ids.ts";
import { discard, receiveFile } from "../../../platform/storage/arrival.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { type ExportAttempt, type ExportParts, noteParts } from "./result-exports.sql.ts";
import type { ShownResults } from "./result-exports.ts";

/**
 * The results of an unfinished export, which are stored for the process that continues it. Each page is a line of JSON.
 */
export type PartsOfExport = {
  /** The pages that earlier attempts have written. */
  readonly earlier: { readonly pages: AsyncIterable<ShownResults>; readonly after: Position } | undefined;
  add(results: ShownResults, next: Position | undefined): Promise<void>;
  /** Deletes all parts. */
  remove(): Promise<void>;
};

/** Thrown when another attempt creates the export, or the export was deleted. */
export class AttemptOver extends Error {
  override readonly name = "AttemptOver";
}

type PartsOptions = ExportAttempt & {
  readonly sql: Sql;
  readonly storage: Storage;
  readonly parts: ExportParts | null;
  /** The number of characters after which the collected pages are stored as a part. */
  readonly characters: number;
};

export function createExportParts({ sql, storage, exportId, attempt, parts, characters }: PartsOptions): PartsOfExport {
  let noted: ExportParts = parts ?? { begun: [], kept: [], results: 0, after: null };
  let lines: string[] = [];
  let size = 0;
  let results = noted.results;

  const note = async (now: ExportParts): Promise<void> => {
    if (!(await noteParts(sql, { exportId, attempt, parts: now }))) throw new AttemptOver();
    noted = now;
  };
  const keep = async (after: Position): Promise<void> => {
    const id = newId();
    // Records the part before writing it, so that it is eventually deleted even after a crash.
    await note({ ...noted, begun: [...noted.begun, id] });
    const body = new Blob(lines).stream();
    const arrival = await receiveFile(body, { folder: storage.arrivals, maxBytes: limits.resultExports.bytes });
    if (arrival === "too large") throw new Error("A part of an export is larger than the maximum size of an export");
    try {
      await storage.keep(id, { path: arrival.path, type: "application/jsonl" });
    } finally {
      await discard(arrival);
    }
    const place = { createdAt: after.createdAt.toISOString(), id: after.id };
    await note({ ...noted, kept: [...noted.kept, id], results, after: place });
    [lines, size] = [[], 0];
  };
  const { kept, after } = noted;
  return {
    earlier: after
      ? { pages: pagesOf(storage, kept), after: { createdAt: new Date(after.createdAt), id: after.id } }
      : undefined,
    async add(page, next) {
      // The last page needs no part, because the file is complete after it.
      if (!next) return;
      const line = `${JSON.stringify(page)}\n`;
      lines.push(line);
      size += line.length;
      results += page.length;
      if (size >= characters) await keep(next);
    },
    async remove() {
      await removeParts(storage, noted);
      if (noted.begun.length > 0) await noteParts(sql, { exportId, attempt, parts: null });
    },
  };
}

/** Deletes the stored parts of an export. */
export async function removeParts(storage: Storage, parts: ExportParts | null): Promise<void> {
  for (const id of parts?.begun ?? []) await storage.remove(id);
}

async function* pagesOf(storage: Storage, ids: readonly string[]): AsyncGenerator<ShownResults> {
  for (const id of ids) {
    const content = await storage.read(id, undefined);
    if (!content) throw new Error("A part of the export is missing from the storage");
    // The size of a part is limited by the amount that is collected before it is stored, so the text fits into memory.
    const text = await new Response(content).text();
    for (const line of text.split("\n")) if (line !== "") yield readPage(line);
  }
}

function readPage(line: string): ShownResults {
  const page: ShownResults = JSON.parse(line);
  return page.map((result) => ({ ...result, createdAt: new Date(result.createdAt) }));
}
