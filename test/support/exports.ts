import { makeExports } from "../../src/management/results/exports/result-exports.job.ts";
import type { JobOutcome } from "../../src/platform/queue/workers.ts";
import type { TestApi } from "./api.ts";

/** Runs the job of an export, as the queue does. */
export async function runExport(
  { deps }: TestApi,
  exportId: string,
  signal: AbortSignal = new AbortController().signal,
  tools: Partial<Parameters<typeof makeExports>[0]> = {},
): Promise<JobOutcome> {
  const { sql, log, storage } = deps;
  const make = makeExports({ sql, log, storage, noteEveryMs: 0, ...tools });
  return await make({ id: exportId, data: { exportId }, signal });
}

/** Runs a requested export and returns its id. */
export async function makeExport(api: TestApi, exportId: string): Promise<string> {
  const { kind, message } = await runExport(api, exportId);
  if (kind === "failed") throw new Error(message);
  return exportId;
}
