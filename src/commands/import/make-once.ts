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
 * Makes a thing in the target once:
 *
 *     not known ─ noted as `making` ─→ being made ─ the target says its id ─→ made, and noted
 *     being made ─ this program ended ─→ the next run looks for what is new in the target and has its name and place: made, else being made again
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
 * An object that a former run created without receiving the response: new in the target, with this name and place, and
 * not a copy of another.
 */
async function findMade({ target, state, place }: Run, { kind, name, parentId }: Thing): Promise<string | undefined> {
  const taken = new Set([...state.before[kind], ...Object.values(state[kind])]);
  const candidates = await listOf(target, place.workspaceId, kind);
  const isIt = (one: (typeof candidates)[number]) =>
    !taken.has(one.id) && one.name === name && (one.parentId ?? null) === (parentId ?? null);
  return candidates.find(isIt)?.id;
}
