import type { ModelAct, Modelled } from "../campaign.ts";
import type { KnownFault } from "../violation.ts";
import { acts, beginnings } from "./acts/index.ts";
import { failuresLeft, mayNoteAway, triedAgain } from "./checks.ts";
import { lookAtAll } from "./invariants.ts";
import { resultVariables } from "./model.ts";
import { waitsForEarlyCall, watchAll } from "./observe.ts";
import { type Chat, newRun, type ResultModel, type Run } from "./run.ts";
import { scenarios } from "./scenarios.ts";
import { variables } from "./scripts.ts";
import type { Variables } from "./walk.ts";
import type { World } from "./world.ts";

/** The model of chats over a service: its acts, and what has to hold. */
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
    run: (run, _, pick) => noting(run, name, () => begin(run, pick)),
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
      if (chat) await noting(run, name, () => act(run, chat, pick));
    },
  };
}

function chatOf({ chats }: Run, on: number): Chat | undefined {
  return chats[on % chats.length];
}

/** Does an act, and notes what the chats wrote into their results. A provider that went away is back once it was asked, unless it is away for long. */
async function noting(run: Run, name: string, act: () => Promise<void>): Promise<void> {
  const before = new Map(run.chats.map((chat) => [chat, writtenBy(chat)]));
  const asked = run.world.stripe.asked.length;
  await act();
  if (run.world.stripe.asked.length > asked) {
    if (run.away > triedAgain) for (const chat of run.chats) mayNoteAway(chat);
    stayAway(run);
  }
  if (run.chats.some(waitsForEarlyCall)) await watchAll(run);
  const isBack = name === "goBack";
  for (const chat of run.chats) note(chat.result, before.get(chat) ?? {}, writtenBy(chat), isBack);
}

/** A few failures that are left would fall upon the middle of a later step. */
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

function writtenBy({ model }: Chat): Variables {
  return structuredClone(resultVariables(model.state));
}

/** A result takes each variable that a chat of it wrote. Going back brings one back only where nobody else has written it since. */
function note(result: ResultModel, before: Variables, after: Variables, isBack: boolean): void {
  for (const name of variables) {
    if (before[name] === after[name] || (isBack && result.variables[name] !== before[name])) continue;
    if (after[name] === undefined) delete result.variables[name];
    else result.variables[name] = after[name];
  }
}
