import { limits } from "../../../src/limits/index.ts";
import type { ChatModel } from "./model.ts";
import { hold } from "./promises.ts";
import type { Chat, Run } from "./run.ts";
import { waitingPart } from "./walk.ts";

export const checkingSentence = "Your payment is being checked. This chat goes on as soon as it is confirmed.";
const unasked = "The provider could not be asked whether this was paid";

/** Number of failures that are retried within a call. */
export const triedAgain = 2;

/** How many of the provider's next answers fail still. */
export function failuresLeft({ away, awayFrom, world }: Run): number {
  return Math.max(0, away - (world.stripe.asked.length - awayFrom));
}

/** The provider was away when a visitor said that a visit was paid: the chat asks it later, by itself. */
export function checkLater(run: Run, { model }: Chat): void {
  const { visit, check } = model;
  noteAway(model);
  // One that waits for a former visit may be of the same payment: it is not known which of its times holds.
  if (check) model.check = check.visit === visit ? check : { ...check, visit: undefined };
  else model.check = { visit, at: run.world.now() + 1_000 * pauseAfter(0), tries: 0 };
}

/** A question of the provider found nobody, and one entry says so. */
function noteAway({ log, mayLog }: ChatModel): void {
  const isFirst = !log.includes(unasked) && !mayLog.includes(unasked);
  (isFirst ? log : mayLog).push(unasked);
}

/**
 * The provider was asked while it was away. Where that was about the payment that a chat shows, an entry may say so.
 */
export function mayNoteAway({ model }: Chat): void {
  const part = waitingPart(model.state);
  if (part && "pay" in part) model.mayLog.push(unasked);
}

type Looked = { readonly at: number; readonly failures: number; readonly isPaid: boolean };

/**
 * Holds a chat to its check, when all that was due at a moment was done. `failures`: so many of the provider's answers
 * were still to fail then.
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
  // A visit that was not paid does not show whether the provider has answered.
  const seconds = pauseAfter(check.tries + 1);
  const again = { ...check, at: run.world.now() + 1_000 * seconds, tries: check.tries + 1 };
  model.check = seconds === 0 ? undefined : { ...again, visit: isOpen ? check.visit : undefined };
}

function pauseAfter(tries: number): number {
  return limits.payments.awayPausesSeconds[tries] ?? 0;
}
