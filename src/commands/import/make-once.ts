import { keyOf, named, orProblem, type Run } from "./run.ts";
import type { Kind } from "./state.ts";
import { listOf } from "./target.ts";

export type Thing = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** The parent of the folder, in the target. */
  readonly parentId?: string | null;
};

/**
 * Creates an object in the target exactly once. The states of an object are:
 *
 *     unknown ─ recorded as `making` ────────────→ being created
 *     being created ─ the target returns the id ─→ created: the id is recorded
 *     being created ─ the target rejects it ─────→ unknown: the problem is recorded
 *     being created ─ the program ended first ───→ created if the next run finds it, otherwise being created
 *
 * The next run looks for a new object with the same name and parent (`findMade`).
 */
export async function makeOnce(run: Run, thing: Thing, make: (key: string) => Promise<string>): Promise<void> {
  const { state } = run;
  const { kind, id, name } = thing;
  const made = state[kind];
  if (made[id] !== undefined) return;
  await orProblem(run, named(name), async () => {
    const wasBegun = state.making?.kind === kind && state.making.id === id;
    const found = wasBegun ? await findMade(run, thing) : undefined;
    if (found === undefined) {
      state.making = { kind, id };
      await run.save();
    }
    made[id] = found ?? (await make(keyOf(run, kind, id)));
  });
  state.making = null;
  await run.save();
}

/**
 * Returns the id of an object that an earlier run created without receiving the response; undefined if there is none.
 * Such an object is new in the target, has this name and parent, and is not a copy of another object.
 */
async function findMade({ target, state, place }: Run, { kind, name, parentId }: Thing): Promise<string | undefined> {
  const taken = new Set([...state.before[kind], ...Object.values(state[kind])]);
  const candidates = await listOf(target, place.workspaceId, kind);
  const isIt = (one: (typeof candidates)[number]) =>
    !taken.has(one.id) && one.name === name && (one.parentId ?? null) === (parentId ?? null);
  return candidates.find(isIt)?.id;
}
