import { limits } from "../../../src/limits/index.ts";
import type { ChatModel } from "./model.ts";
import { hold } from "./promises.ts";
import type { Chat, Run } from "./run.ts";
import { waitingPart } from "./walk.ts";

export const checkingSentence = "Your payment is being checked. This chat goes on as soon as it is confirmed.";
const unasked = "The provider could not be asked whether this was paid";

/** Number of failures after which a call is retried. */
export const triedAgain = 2;

/** The number of the provider's next answers that still fail. */
export function failuresLeft({ away, awayFrom, world }: Run): number {
  return Math.max(0, away - (world.stripe.asked.length - awayFrom));
}

/** The provider was away when a visitor reported a payment: the chat checks it later, by itself. */
export function checkLater(run: Run, { model }: Chat): void {
  const { visit, check } = model;
  noteAway(model);
  // A pending check of an earlier visit may concern the same payment: which of its times applies is unknown.
  if (check) model.check = check.visit === visit ? check : { ...check, visit: undefined };
  else model.check = { visit, at: run.world.now() + 1_000 * pauseAfter(0), tries: 0 };
}

/** A request to the provider failed because it was away, and one log entry reports it. */
function noteAway({ log, mayLog }: ChatModel): void {
  const isFirst = !log.includes(unasked) && !mayLog.includes(unasked);
  (isFirst ? log : mayLog).push(unasked);
}

/**
 * The provider was asked while it was away. If the request was about the chat's current payment, a log entry may report
 * it.
 */
export function mayNoteAway({ model }: Chat): void {
  const part = waitingPart(model.state);
  if (part && "pay" in part) model.mayLog.push(unasked);
}

type Looked = { readonly at: number; readonly failures: number; readonly isPaid: boolean };

/**
 * Compares a chat with its planned check, when all that was due at a moment has run. `failures`: the number of the
 * provider's answers that were still to fail.
 */
export function lookAtCheck(run: Run, { model }: Chat, { at: now, failures, isPaid }: Looked): void {
  const { check, visit } = model;
  if (!check || now < check.at) return;
  const isOpen = check.visit !== undefined && check.visit === visit && isPaid;
  if (failures === 0) {
    model.check = undefined;
    const facts = { flow: model.flow, check, now, note: "The provider was there again, and its payment was not taken" };
    hold("due", !isOpen, facts);
    return;
  }
  // A visit without a payment does not show whether the provider has answered.
  const seconds = pauseAfter(check.tries + 1);
  const again = { ...check, at: run.world.now() + 1_000 * seconds, tries: check.tries + 1 };
  model.check = seconds === 0 ? undefined : { ...again, visit: isOpen ? check.visit : undefined };
}

function pauseAfter(tries: number): number {
  return limits.payments.awayPausesSeconds[tries] ?? 0;
}
