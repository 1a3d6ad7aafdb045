import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { deltaOf } from "../../../../core/editing/changes/delta.ts";
import { type Counts, countByThing, noCounts } from "../../../../core/lint/counts.ts";
import type { Report } from "../../../../core/lint/draft-linter.ts";
import type { Finding } from "../../../../core/lint/rule.ts";
import { ApiFailure, call } from "../../api/index.ts";
import { startWorker } from "../../workers/start-worker.ts";
import { type Drawn, keepDrawn } from "./drawn.ts";
import type { FixWanted, FromFindings, ToFindings } from "./findings-messages.ts";

export type { Counts } from "../../../../core/lint/counts.ts";
export type { Finding } from "../../../../core/lint/rule.ts";

export type Findings = ReturnType<typeof watchFindings>;

/**
 * The pause in editing before findings are requested from the service. Linting a flow costs the service as much as ten
 * saves.
 */
const pauseMs = 2_000;

/**
 * How long edits are collected before they are sent to the worker. Waking the worker for each key would cost half a
 * millisecond per key.
 */
const gatheredMs = 100;

/**
 * Watches the linter's findings in a draft. A worker lints the draft as it changes; each edit sends only the affected
 * parts to the worker. Findings that depend on the workspace, such as those about credentials, are requested from the
 * service after a save. Without a running worker, all findings come from the service.
 */
export function watchFindings(botId: string, draft: ReadonlySignal<DraftDocument>) {
  /** The findings by descending severity; undefined until the first result. */
  const all = signal<readonly Finding[] | undefined>(undefined);
  /** The number of findings, including those that `all` omits. */
  const counts = signal<Counts>(noCounts);
  /**
   * The number of findings by the id of a group, block, item, event or edge. Unchanged counts are the same objects as
   * before.
   */
  const byThing = signal<ReadonlyMap<string, Counts>>(new Map());
  const show = (report: Report): void =>
    batch(() => {
      const findings = keptFindings(all.value, report.findings);
      if (findings !== all.value) all.value = findings;
      if (!isSame(counts.value, report.counts)) counts.value = report.counts;
      const next = kept(byThing.value, report.byThing);
      if (next !== byThing.value) byThing.value = next;
    });
  const reader = startReader(draft, show);
  const service = askService(botId, {
    onAsk: () => reader.tell({ kind: "asked" }),
    onAnswer: (answer) => {
      reader.tell({ kind: "answered", answer });
      if (!reader.isReading()) show({ ...answer, byThing: [...countByThing(answer.findings)] });
    },
  });
  const drawn = keepDrawn(draft);
  return {
    ...{ all, counts, byThing },
    /** Adds the colours in which a frame rendered a theme. Colours of a theme other than the draft's are ignored. */
    noteDrawn(of: Drawn): void {
      const known = drawn.note(of);
      if (known) reader.tell({ kind: "drawn", drawn: known });
    },
    /** Whether a frame has reported the colours in which it rendered the draft's theme. */
    isDrawn: drawn.isKnown,
    /**
     * Resolves to the changes that fix the given findings, or all findings of a rule, in the current draft. Without a
     * running worker, resolves to an empty list.
     */
    fix: reader.fix,
    /**
     * Called when the draft was saved with this revision. Requests the service's findings after a pause. The first
     * request is made without the pause.
     */
    note: service.note,
    close() {
      service.close();
      reader.close();
    },
  };
}

function startReader(draft: ReadonlySignal<DraftDocument>, show: (report: Report) => void) {
  const waiting = new Map<number, (changes: readonly Change[]) => void>();
  let worker: Worker | undefined;
  let sent: object = {};
  let isReading = false;
  let number = 0;
  let stopFollowing = (): void => {};
  let now: object = {};
  let timer = 0;
  const post = (message: ToFindings): void => worker?.postMessage(message);
  const tellChanges = (): void => {
    clearTimeout(timer);
    timer = 0;
    const delta = deltaOf(sent, now);
    sent = now;
    if (delta) post({ kind: "change", delta });
  };
  /** Sends pending changes before the message, because the message refers to the current draft. */
  const tell = (message: ToFindings): void => {
    if (timer !== 0) tellChanges();
    post(message);
  };

  const stop = (): void => {
    stopFollowing();
    clearTimeout(timer);
    timer = 0;
    worker?.terminate();
    worker = undefined;
    isReading = false;
    for (const resolve of waiting.values()) resolve([]);
    waiting.clear();
  };
  const start = (): void => {
    worker = startWorker("findings");
    if (!worker) return;
    worker.addEventListener("message", ({ data }: MessageEvent<FromFindings>) => {
      if (data.kind === "fixed") {
        waiting.get(data.number)?.(data.changes);
        waiting.delete(data.number);
        return;
      }
      isReading = true;
      performance.measure("findings", { start: performance.now() - data.tookMs, duration: data.tookMs });
      show(data.report);
    });
    // If the worker fails, the findings still come from the service.
    worker.addEventListener("error", stop);
    let isFirst = true;
    stopFollowing = draft.subscribe((next) => {
      const { editor: _, ...flow } = next;
      now = flow;
      if (isFirst) {
        post({ kind: "open", draft: flow });
        sent = flow;
        isFirst = false;
      } else if (timer === 0) timer = window.setTimeout(tellChanges, gatheredMs);
    });
  };
  // Starts after the flow is shown, so that linting does not delay the first rendering.
  const starting = setTimeout(start, 100);
  return {
    tell,
    /** Whether the worker has responded and is still running. */
    isReading: () => isReading,
    fix(wanted: FixWanted): Promise<readonly Change[]> {
      if (!worker) return Promise.resolve([]);
      return new Promise((resolve) => {
        number++;
        waiting.set(number, resolve);
        tell({ kind: "fix", number, wanted });
      });
    },
    close() {
      clearTimeout(starting);
      stop();
    },
  };
}

type Asking = {
  onAsk(): void;
  onAnswer(answer: Awaited<ReturnType<typeof lintedByService>>): void;
};

async function lintedByService(botId: string) {
  const { findings, errors, warnings, infos, linkedFrom } = await call("POST /api/v1/bots/:botId/lint", {
    path: { botId },
    body: {},
  });
  return {
    findings: findingsIn(findings),
    counts: { errors, warnings, infos },
    ...(linkedFrom && { linkedFrom }),
  };
}

/** Returns the valid findings of a response. */
export function findingsIn(answer: readonly unknown[]): readonly Finding[] {
  return answer.filter(isFinding);
}

function isFinding(value: unknown): value is Finding {
  return typeof value === "object" && value !== null && "rule" in value && "severity" in value;
}

function askService(botId: string, { onAsk, onAnswer }: Asking) {
  let wanted = -1;
  let timer = 0;
  const load = async (): Promise<void> => {
    const revision = wanted;
    onAsk();
    try {
      const answer = await lintedByService(botId);
      if (revision === wanted) onAnswer(answer);
    } catch (error) {
      // After a failure, the previous findings stay until the request after the next save.
      if (!(error instanceof ApiFailure)) throw error;
    }
  };
  return {
    note(revision: number): void {
      if (revision === wanted) return;
      const isFirst = wanted < 0;
      wanted = revision;
      clearTimeout(timer);
      timer = window.setTimeout(() => void load(), isFirst ? 0 : pauseMs);
    },
    close: () => clearTimeout(timer),
  };
}

/** Returns the new counts and reuses equal objects. If all counts are equal, returns the previous map. */
function kept(
  before: ReadonlyMap<string, Counts>,
  after: readonly (readonly [string, Counts])[],
): ReadonlyMap<string, Counts> {
  let isOther = before.size !== after.length;
  const next = new Map<string, Counts>();
  for (const [id, count] of after) {
    const was = before.get(id);
    const isEqual = was !== undefined && isSame(was, count);
    next.set(id, isEqual ? was : count);
    isOther ||= !isEqual;
  }
  return isOther ? next : before;
}

/** Returns the new findings and reuses equal objects. If all findings are equal, returns the previous list. */
export function keptFindings(
  before: readonly Finding[] | undefined = [],
  after: readonly Finding[],
): readonly Finding[] {
  const said = new Map(before.map((finding) => [JSON.stringify(finding), finding]));
  const next = after.map((finding) => said.get(JSON.stringify(finding)) ?? finding);
  const isEqual = next.length === before.length && next.every((finding, index) => finding === before[index]);
  // An empty list must replace undefined as the first result.
  return isEqual && before.length > 0 ? before : next;
}

function isSame(one: Counts, other: Counts): boolean {
  return one.errors === other.errors && one.warnings === other.warnings && one.infos === other.infos;
}
