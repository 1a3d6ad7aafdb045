import { type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, ApiFailure, call } from "../api/index.ts";

export type Finding = Answer<"POST /api/v1/bots/:botId/lint">["findings"][number];
export type Counts = { readonly errors: number; readonly warnings: number; readonly infos: number };

export type Findings = {
  /** Undefined before they were first read. */
  readonly all: ReadonlySignal<readonly Finding[] | undefined>;
  /** How many are about a group, a block, an item, an event or an edge, by its id. */
  readonly byThing: ReadonlySignal<ReadonlyMap<string, Counts>>;
  /** The draft has another revision by now. */
  note(revision: number): void;
  close(): void;
};

/** Reading a flow costs the service as much as saving ten: it waits until its author pauses. */
const pauseMs = 1_200;

/** What the linter has against a draft, read again whenever it was saved. */
export function watchFindings(botId: string): Findings {
  const all = signal<readonly Finding[] | undefined>(undefined);
  const byThing = signal<ReadonlyMap<string, Counts>>(new Map());
  let wanted = -1;
  let read = -1;
  let timer = 0;

  const load = async (): Promise<void> => {
    const revision = wanted;
    try {
      const { findings } = await call("POST /api/v1/bots/:botId/lint", { path: { botId }, body: {} });
      read = revision;
      all.value = findings;
      byThing.value = countByThing(findings);
    } catch (error) {
      // Findings are told again with the next save; what is known stays meanwhile.
      if (!(error instanceof ApiFailure)) throw error;
    }
  };

  return {
    all,
    byThing,
    note(revision) {
      if (revision === wanted || revision === read) return;
      const isFirst = wanted < 0;
      wanted = revision;
      clearTimeout(timer);
      timer = window.setTimeout(() => void load(), isFirst ? 0 : pauseMs);
    },
    close: () => clearTimeout(timer),
  };
}

export function countByThing(findings: readonly Finding[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const finding of findings) {
    for (const id of [finding.groupId, finding.blockId, finding.itemId, finding.eventId]) {
      if (typeof id !== "string") continue;
      const { errors, warnings, infos } = counts.get(id) ?? { errors: 0, warnings: 0, infos: 0 };
      counts.set(id, {
        errors: errors + (finding.severity === "error" ? 1 : 0),
        warnings: warnings + (finding.severity === "warning" ? 1 : 0),
        infos: infos + (finding.severity === "info" ? 1 : 0),
      });
    }
  }
  return counts;
}
