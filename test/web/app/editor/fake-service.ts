import { apply, ChangeMisses } from "../../../../src/core/editing/changes/apply.ts";
import type { ChangeSet, DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import type { Committed } from "../../../../src/core/editing/changes/footprint.ts";
import { rebaseRequest } from "../../../../src/core/editing/changes/rebase.ts";
import { asDraft, type ReceivedSet } from "../../../../src/web/app/editor/working-copy/replica.ts";
import type { Shelf } from "../../../../src/web/app/editor/working-copy/stored-work.ts";
import type { Clock, Sent, Transport } from "../../../../src/web/app/editor/working-copy/transport.ts";

type Logged = ReceivedSet & Committed;

/** Simulates the service's draft and its log. A change that contains `refused` can never be stored. */
export type FakeService = {
  readonly log: readonly Logged[];
  draft(): DraftDocument;
  /** Returns the draft at a revision. */
  at(revision: number): DraftDocument;
  send(base: number, sets: readonly ChangeSet[], userId: string): Sent;
  /** Stores changes that return the draft to an earlier state, and marks them in the log as a restore. */
  restore(set: ChangeSet, userId: string): void;
  readonly counts: { conflicts: number; repeats: number; refusals: number };
};

export function createFakeService(first: DraftDocument): FakeService {
  let draft = first;
  const log: Logged[] = [];
  const counts = { conflicts: 0, repeats: 0, refusals: 0 };
  const service: FakeService = {
    log,
    counts,
    draft: () => draft,
    at: (revision) =>
      asDraft(
        apply(
          first,
          log.slice(0, revision).flatMap(({ changes }) => changes),
        ),
      ),
    send(base, sets, userId) {
      const ids = new Set(sets.map(({ id }) => id));
      const own = log.filter(({ id }) => ids.has(id));
      const missing = sets.filter(({ id }) => !own.some((set) => set.id === id));
      const last = own.at(-1)?.revision ?? 0;
      const upTo = missing.length > 0 ? log.length : last;
      const others = log.filter(({ id, revision }) => revision > base && revision <= upTo && !ids.has(id));
      if (missing.length === 0) {
        counts.repeats++;
        return { kind: "written", revision: last, others };
      }
      if (missing.some(({ changes }) => JSON.stringify(changes).includes("refused"))) {
        counts.refusals++;
        return { kind: "refused", issues: [{ path: "blocks.b1.content", message: "must not be that" }] };
      }
      const since = log.filter(({ revision }) => revision > base);
      const rebased = unlessMissed(() => rebaseRequest(draft, since, sets));
      if (!rebased) {
        counts.refusals++;
        return { kind: "refused", issues: [{ path: "changeSets[0].changes[0]", message: "names nothing" }] };
      }
      if (rebased.conflicts.length > 0) {
        counts.conflicts++;
        return { kind: "conflict", others, conflicts: rebased.conflicts };
      }
      draft = asDraft(rebased.draft);
      for (const [index, { id, title }] of missing.entries()) {
        const { changes = [], inverse = [] } = rebased.sets[index] ?? {};
        const by = { userId, name: userId };
        log.push({ id, title, changes, inverse, revision: log.length + 1, by, at: "2026-11-23T00:00:00.000Z" });
      }
      return { kind: "written", revision: log.length, others };
    },
    restore(set, userId) {
      service.send(log.length, [set], userId);
      const last = log.pop();
      if (last) log.push({ ...last, origin: "restore" });
    },
  };
  return service;
}

function unlessMissed<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChangeMisses) return undefined;
    throw error;
  }
}

/** A network between an editor and the service. */
export type Network = { isDown: boolean; delayMs(): number; loses(): "nothing" | "request" | "answer" };

export function transportTo(
  service: FakeService,
  { clock, network, userId }: { clock: Clock; network: Network; userId: string },
): Transport {
  const travel = () => new Promise<void>((resolve) => clock.startTimer(network.delayMs(), resolve));
  async function exchange<Value>(serve: () => Value): Promise<Value | { kind: "lost" }> {
    const lost = network.isDown ? "request" : network.loses();
    await travel();
    if (lost === "request") return { kind: "lost" };
    // The value is cloned, as in a serialised request.
    const answer: Value = structuredClone(serve());
    await travel();
    return lost === "answer" ? { kind: "lost" } : answer;
  }
  return {
    send: (base, sets) => exchange(() => service.send(base, structuredClone(sets), userId)),
    log: (after) => exchange(() => ({ kind: "read" as const, value: service.log.slice(after) })),
    draft: () =>
      exchange(() => ({ kind: "read" as const, value: { revision: service.log.length, draft: service.draft() } })),
  };
}

/** Simulates a browser's storage, with a copy of each value. */
export function shelfInMemory(): Shelf {
  const entries = new Map<string, unknown>();
  return {
    async write(changes) {
      for (const { key, value } of changes) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, structuredClone(value));
      }
    },
    list: async (prefix) =>
      [...entries]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ key, value })),
  };
}
