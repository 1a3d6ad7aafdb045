import { textAt, valueAt } from "../interpreter/flow.ts";
import type { Effect } from "../interpreter/program/effect.ts";
import { calledWith, replyIn } from "../interpreter/program/message.ts";
import type { StepReply } from "../interpreter/program/state.ts";
import { durationText } from "./durations.ts";
import type { WrittenReport } from "./reports.ts";
import type { Turn } from "./schema.ts";

/** The reply with which a turn continues the chat, or the reason why the turn cannot continue it. */
export type Begun = { readonly reply: StepReply | null } | { readonly problem: string };

/** A chat before a turn: its state, the time, and the type of the waiting input. */
type Standing = { readonly state: string; readonly now: number; readonly asks: string | null };

/** Returns the reply of any turn except the first, or the reason why the turn cannot continue the chat. */
export function beginTurn({ say, passes, calls, pays }: Turn, { state, now, asks }: Standing): Begun {
  const ways = Object.entries({ say, passes, calls, pays }).filter(([, value]) => value !== undefined);
  if (ways.length > 1)
    return { problem: `A turn can have only one of ${ways.map(([name]) => `"${name}"`).join(" and ")}` };
  if (passes !== undefined) return passing(passes, state, now);
  if (calls !== undefined) {
    if (asks !== null) return { problem: "The chat waits for a reply of its visitor, not for a call" };
    return { reply: { type: "text", text: calledWith(calls) } };
  }
  if (pays !== undefined) {
    if (asks !== "payment input") return { problem: "The chat does not request a payment at this turn" };
    return { reply: { type: "text", text: "" } };
  }
  return { reply: replyIn(say) };
}

function passing(passes: string, state: string, now: number): Begun {
  const timer = valueAt(JSON.parse(state), "timer");
  const [kind, due] = [textAt(timer, "kind"), valueAt(timer, "due")];
  if ((kind !== "timeout" && kind !== "wait") || typeof due !== "number")
    return { problem: `Nothing is due after ${passes}, because the chat does not wait for a time limit` };
  if (due > now)
    return { problem: `Nothing is due after ${passes}: the chat waits for another ${durationText(due - now)}` };
  return { reply: { type: kind } };
}

/**
 * Returns the report of a payment effect that a turn need not contain: a prepared payment, or the status in `pays` for
 * a payment check. Returns undefined for other effects.
 */
export function paymentReport(effect: Effect, { pays }: Turn): WrittenReport | undefined {
  if (effect.kind === "payment") {
    return { kind: "payment", paymentIntentSecret: "test", publicKey: "test", paymentId: "test" };
  }
  return effect.kind === "paymentCheck" && pays !== undefined ? { kind: "paymentCheck", status: pays } : undefined;
}
