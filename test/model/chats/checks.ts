import { limits } from "../../../src/limits/index.ts";
import type { ChatModel } from "./model.ts";
import { hold } from "./promises.ts";
import type { Chat, Run } from "./run.ts";
import { waitingPart } from "./walk.ts";

export const checkingSentence = "Your payment is being checked. The chat continues as soon as it is confirmed.";
const unasked = "The provider did not respond to the question whether this was paid";

/** The number of times that a failed call is retried. */
export const triedAgain = 2;

/** Returns how many of the provider's next responses will still fail. */
export function failuresLeft({ away, awayFrom, world }: Run): number {
  return Math.max(0, away - (world.stripe.asked.length - awayFrom));
}

/**
 * Records that the provider was unavailable when a visitor reported a payment, so that the chat checks the payment
 * later by itself.
 */
export function checkLater(run: Run, { model }: Chat): void {
  const { visit, check } = model;
  noteAway(model);
  // A pending check of an earlier visit may concern the same payment, so it is unknown which of the two times applies.
  if (check) model.check = check.visit === visit ? check : { ...check, visit: undefined };
  else model.check = { visit, at: run.world.now() + 1_000 * pauseAfter(0), tries: 0 };
}

/**
 * Records that a request failed because the provider was unavailable. The log must report this once, and may report it
 * again.
 */
function noteAway({ log, mayLog }: ChatModel): void {
  const isFirst = !log.includes(unasked) && !mayLog.includes(unasked);
  (isFirst ? log : mayLog).push(unasked);
}

/** Records that the log may report an unavailable provider, if the chat waits for a payment. */
export function mayNoteAway({ model }: Chat): void {
  const part = waitingPart(model.state);
  if (part && "pay" in part) model.mayLog.push(unasked);
}

type Looked = { readonly at: number; readonly failures: number; readonly isPaid: boolean };

/**
 * Compares a chat with its planned check, after all steps that were due at `at` have run. `failures` is how many of the
 * provider's next responses would still have failed.
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
  // An unpaid visit does not show whether the provider has answered.
  const seconds = pauseAfter(check.tries + 1);
  const again = { ...check, at: run.world.now() + 1_000 * seconds, tries: check.tries + 1 };
  model.check = seconds === 0 ? undefined : { ...again, visit: isOpen ? check.visit : undefined };
}

function pauseAfter(tries: number): number {
  return limits.payments.awayPausesSeconds[tries] ?? 0;
}
