import type { Report } from "../../core/interpreter/program/effect.ts";
import { limits } from "../../limits/index.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { ReportStatements, StoredReport } from "../saves/effect-reports.sql.ts";

/**
 * Stores the reports of a step's effects for a retry after a crash. A report waits until the next effect is about to
 * start, so that a step with a single free call needs no extra statement. Reports of paid effects are stored
 * immediately.
 *
 *     performed ─ it exceeds a size limit ─────────→ not stored
 *     performed ─ the effect costs money ──────────→ stored, with all waiting reports
 *     performed ─ otherwise ───────────────────────→ waiting
 *     waiting ─ the next effect is about to start ─→ stored
 *     stored, waiting ─ the step is saved ─────────→ deleted
 */
export type StoredReports = {
  /** Finds the report of an effect that an earlier attempt performed, if any. */
  find(key: string): Promise<Report | undefined>;
  /** Stores the waiting reports. Called before an effect starts, while the claim is held. */
  flush(): Promise<void>;
  add(key: string, report: Report, options: { isPaid: boolean }): Promise<void>;
  /** Called after the step is saved. */
  forget(): Promise<void>;
};

export function createStoredReports(
  statements: ReportStatements,
  /** `isResumed`: an earlier attempt claimed the step and did not finish it. */
  { sessionId, isResumed }: { sessionId: string; isResumed: boolean },
): StoredReports {
  let found: Promise<ReadonlyMap<string, string>> | undefined;
  let waiting: StoredReport[] = [];
  const keys = new Set<string>();
  let bytesLeft: number = limits.step.reportsBytes;

  const findAll = async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await statements.find(sessionId);
    for (const { key } of rows) keys.add(key);
    return new Map(rows.map(({ key, report }) => [key, report]));
  };
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const reports = waiting;
    waiting = [];
    for (const { key } of reports) keys.add(key);
    try {
      await statements.insert(sessionId, reports);
    } catch (error) {
      // The effect has been performed. The step continues during an outage, and its save is retried.
      if (!isOutage(error)) throw error;
      waiting = [...reports, ...waiting];
    }
  };
  return {
    async find(key) {
      if (!isResumed) return undefined;
      found ??= findAll();
      const text = (await found).get(key);
      if (text === undefined) return undefined;
      const report: Report = JSON.parse(text);
      return report;
    },
    flush,
    async add(key, report, { isPaid }) {
      const text = JSON.stringify(report);
      const bytes = Buffer.byteLength(text);
      if (bytes > limits.step.reportBytes || bytes > bytesLeft) return;
      bytesLeft -= bytes;
      waiting.push({ key, report: text });
      if (isPaid) await flush();
    },
    async forget() {
      waiting = [];
      if (keys.size > 0) await statements.delete(sessionId, [...keys]);
    },
  };
}
