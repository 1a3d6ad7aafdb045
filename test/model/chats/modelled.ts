import type { ModelAct, Modelled } from "../campaign.ts";
import type { KnownFault } from "../violation.ts";
import { acts, beginnings } from "./acts/index.ts";
import { failuresLeft, mayNoteAway, triedAgain } from "./checks.ts";
import { lookAtAll } from "./invariants.ts";
import { waitsForEarlyCall, watchAll } from "./observe.ts";
import { type Chat, newRun, type Run } from "./run.ts";
import { scenarios } from "./scenarios.ts";
import type { World } from "./world.ts";

/** Returns the model of chats for a service: its acts and its invariants. */
export function modelOfChats(world: World, knownFaults: readonly KnownFault[]): Modelled<Run> {
  return {
    acts: [...beginnings.map(asBeginning), ...acts.map(asAct)],
    scenarios,
    newRun: () => newRun(world),
    knownFaults,
    async end(run) {
      recover(run);
      await watchAll(run);
      await lookAtAll(run);
    },
  };
}

function asBeginning({ name, often, when, run: begin }: (typeof beginnings)[number]): ModelAct<Run> {
  return {
    ...{ name, often },
    when: (run, _, pick) => when(run, pick),
    run: (run, _, pick) => noting(run, () => begin(run, pick)),
  };
}

function asAct({ name, often, when, run: act }: (typeof acts)[number]): ModelAct<Run> {
  return {
    ...{ name, often },
    when(run, on, pick) {
      const chat = chatOf(run, on);
      return chat !== undefined && !chat.result.isErased && when(run, chat, pick);
    },
    async run(run, on, pick) {
      const chat = chatOf(run, on);
      if (chat) await noting(run, () => act(run, chat, pick));
    },
  };
}

function chatOf({ chats }: Run, on: number): Chat | undefined {
  return chats[on % chats.length];
}

/** Runs an act, and records the variables that chats write into their results. */
async function noting(run: Run, act: () => Promise<void>): Promise<void> {
  const asked = run.world.stripe.asked.length;
  await act();
  if (run.world.stripe.asked.length > asked) {
    if (run.away > triedAgain) for (const chat of run.chats) mayNoteAway(chat);
    stayAway(run);
  }
  if (run.chats.some(waitsForEarlyCall)) await watchAll(run);
  for (const chat of run.chats) note(chat);
}

/** Ends the outage if only a few failures remain, because they would otherwise occur in the middle of a later step. */
function stayAway(run: Run): void {
  const left = failuresLeft(run);
  if (left <= triedAgain) recover(run);
  else Object.assign(run, { away: left, awayFrom: run.world.stripe.asked.length });
}

function recover(run: Run): void {
  if (run.away === 0) return;
  run.world.stripe.recover();
  run.away = 0;
}

/**
 * Records the variables that a chat sets in its result. Going back restores a variable only if the result still has the
 * value of the chat.
 */
function note({ result, model: { state } }: Chat): void {
  for (const { name, value, takenBack } of state.changes) {
    if (takenBack && result.variables[name] !== takenBack.had) continue;
    if (value === undefined) delete result.variables[name];
    else result.variables[name] = value;
  }
  state.changes = [];
}
