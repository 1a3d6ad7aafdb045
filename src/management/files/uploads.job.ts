import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import {
  forgetFiles,
  listUnansweredFiles,
  markAnsweredFiles,
  removeFilesOfPreviews,
  takeRemovedFiles,
} from "./file-removal.sql.ts";
import { forgetWorkspaceFiles, takeRemovedWorkspaceFiles } from "./workspace-files.sql.ts";

/** The number of files that one statement reads, and the number of concurrent removals from the storage. */
const maxBatch = 100;
const removalsAtOnce = 8;

/** How long a file is postponed when it is read, and thus the pause before a failed removal is retried. */
const pauseSeconds = 300;

/**
 * Creates the tasks that remove visitors' files and files that authors deleted. Visitors' files that are in no answer
 * are removed after a day, files of previews after an hour, and files of erased results with the next run.
 */
export function uploadedFiles(sql: Sql, storage: Storage): readonly CleanUp[] {
  return [
    { name: "unused-files", cron: "35 * * * *", removeSome: () => markSome(sql) },
    {
      name: "files-of-previews",
      cron: "*/5 * * * *",
      removeSome: () => removeFilesOfPreviews(sql, { hours: limits.uploads.previewHours, limit: maxBatch }),
    },
    { name: "removed-files", cron: "* * * * *", removeSome: () => removeSome(sql, storage, ofVisitors) },
    { name: "removed-files-of-authors", cron: "* * * * *", removeSome: () => removeSome(sql, storage, ofAuthors) },
  ];
}

const ofVisitors = { take: takeRemovedFiles, forget: forgetFiles };
const ofAuthors = { take: takeRemovedWorkspaceFiles, forget: forgetWorkspaceFiles };

async function markSome(sql: Sql): Promise<number> {
  const ids = await listUnansweredFiles(sql, { hours: limits.uploads.unansweredHours, limit: maxBatch });
  if (ids.length > 0) await markAnsweredFiles(sql, ids);
  return ids.length;
}

/**
 * Deletes files from the storage, and then their rows. Returns the number of deleted rows. If the storage fails for a
 * file, its row remains and is retried after a pause, and the storage's error is thrown at the end.
 */
async function removeSome(sql: Sql, storage: Storage, { take, forget }: typeof ofVisitors): Promise<number> {
  const ids = await take(sql, { limit: maxBatch, seconds: pauseSeconds });
  const gone: string[] = [];
  let problem: { readonly error: unknown } | undefined;
  // Removes only a few files concurrently, because the storage also serves visitors.
  for (let at = 0; at < ids.length; at += removalsAtOnce) {
    const some = ids.slice(at, at + removalsAtOnce);
    const outcomes = await Promise.allSettled(some.map((id) => storage.remove(id)));
    for (const [index, id] of some.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === "rejected") problem = { error: outcome.reason };
      else gone.push(id);
    }
  }
  if (gone.length > 0) await forget(sql, gone);
  if (problem) throw problem.error;
  return gone.length;
}
