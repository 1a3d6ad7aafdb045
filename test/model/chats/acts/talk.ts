import type { Answer } from "../../../support/client.ts";
import { triedAgain } from "../checks.ts";
import { happens, isOver } from "../model.ts";
import { holdStep, moveNow, textsOf, watchAll } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, type Chat, momentFrom, newWord, outsideOf, type Run } from "../run.ts";
import { innermost, type Outside, scriptOf, waitingBlock, waitingPart } from "../walk.ts";
import { type Act, picked } from "./act.ts";

const invalidNumber = "Invalid message. Please, try again.";
const paymentRefused = "Payment failed. Please, try again.";

/** Returns whether the chat waits for a reply that can be a text. */
export function asksNow({ model }: Chat): boolean {
  const part = waitingPart(model.state);
  return part !== undefined && ("ask" in part || "choose" in part);
}

/** Returns a reply that the question accepts. */
export function rightReply(run: Run, { model }: Pick<Chat, "model">, pick: number): string {
  const part = waitingPart(model.state);
  if (part && "choose" in part)
    return picked([Object.keys(part.choose)[0] ?? "", ...Object.keys(part.choose)], pick + 1);
  if (part && "ask" in part && part.ask === "number") return String(pick);
  return newWord(run, picked(["cheap", "dear", "some"], pick));
}

export type Sent = { readonly afterRevision?: number | undefined; readonly key?: string | undefined };

export function reply(run: Run, chat: Chat, message: unknown, { afterRevision = chat.model.revision, key }: Sent = {}) {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return () =>
    ask(run, "post", `/sessions/${chat.sessionId}/continueChat`, {
      headers,
      body: { message, ...(afterRevision > 0 && { afterRevision }) },
    });
}

/** Sends an accepted answer, and applies it to the model. */
export async function answerRightly(run: Run, chat: Chat, message: string, sent: Sent = {}): Promise<void> {
  const begunAt = run.world.now();
  const key = sent.key ?? newWord(run, "key-of-a-reply-");
  const send = reply(run, chat, message, { ...sent, key });
  const answer = await send();
  moveNow(chat);
  const before = sent.afterRevision === 0 ? (chat.model.unseen?.said ?? []) : [];
  const step = happens.answer(chat.model, message, outsideAfter(run, answer), momentFrom(run, begunAt));
  chat.model.unseen = undefined;
  holdStep(run, chat, answer, step, "shown", before);
  chat.last = { send, answer };
}

/**
 * Returns the responses of external servers for a step. While the provider is unavailable, the step's payment may have
 * been refused.
 */
export function outsideAfter(run: Run, answer: Answer): Outside {
  const texts = textsOf(answer);
  const isPaymentRefused = run.away > 0 && texts.some((text) => text.startsWith("A payment of "));
  holdPrepared(run, isPaymentRefused, texts);
  return outsideOf(run, { isPaymentRefused });
}

export function holdPrepared(run: Run, isPaymentRefused: boolean, seen: readonly string[]): void {
  const facts = { away: run.away, seen, note: "The payment could not be prepared" };
  hold("kept", !isPaymentRefused || run.away > triedAgain, facts);
}

export const talkActs: readonly Act[] = [
  {
    name: "reply",
    means: "A visitor gives a reply that the question accepts.",
    often: 14,
    when: (_, chat) => asksNow(chat),
    run: (run, chat, pick) => answerRightly(run, chat, rightReply(run, chat, pick)),
  },
  {
    name: "replyWrongly",
    means: "A visitor gives a reply that the question refuses.",
    often: 2,
    when(_, { model }) {
      const part = waitingPart(model.state);
      return part !== undefined && (("ask" in part && part.ask === "number") || "choose" in part || "pay" in part);
    },
    async run(run, chat) {
      const part = waitingPart(chat.model.state);
      const isPayment = part !== undefined && "pay" in part;
      const begunAt = run.world.now();
      const send = reply(run, chat, "fail", { key: newWord(run, "key-of-a-reply-") });
      const answer = await send();
      moveNow(chat);
      const step = happens.refuse(
        chat.model,
        "fail",
        isPayment ? paymentRefused : invalidNumber,
        momentFrom(run, begunAt),
      );
      chat.model.unseen = undefined;
      holdStep(run, chat, answer, step, run.away > 0 ? "kept" : "shown");
      chat.last = { send, answer };
    },
  },
  {
    name: "replyBlindly",
    means: "A client that does not say which step it knows replies.",
    often: 2,
    when: (_, chat) => asksNow(chat),
    async run(run, chat, pick) {
      const { model } = chat;
      const { unseen } = model;
      const message = rightReply(run, chat, pick);
      if (!unseen || unseen.block === waitingBlock(model.state))
        return answerRightly(run, chat, message, { afterRevision: 0 });
      const answer = await reply(run, chat, message, { afterRevision: 0 })();
      model.unseen = undefined;
      const asks = waitingBlock(model.state);
      model.steps.push({ revision: ++model.revision, cause: "shown", reply: message, said: [], calls: 0, asks });
      moveNow(chat);
      hold("former", answer.status === 200, { status: answer.status, body: answer.body });
      holdEqual("former", { expected: unseen.said, seen: textsOf(answer), flow: model.flow });
      holdEqual("former", { expected: asks, seen: answer.at("input.id"), flow: model.flow });
    },
  },
  {
    name: "again",
    means: "The last request comes a second time, under its key.",
    often: 3,
    when: (_, { last }) => last !== undefined,
    async run(run, chat) {
      const { send, answer } = chat.last ?? {};
      const second = await send?.();
      holdEqual("repeated", { expected: answer?.body, seen: second?.body });
      hold("repeated", second?.headers.get("idempotency-replayed") === "true", { revision: chat.model.revision });
      await watchAll(run);
    },
  },
  {
    name: "replyFromOlderTab",
    means: "A tab that shows a former step replies, and says which step it knows.",
    often: 3,
    when: (_, { model }) => model.revision > 1 && model.steps.length > 1,
    async run(run, chat) {
      const { model } = chat;
      const known = model.steps.at(-2)?.revision ?? 1;
      const answer = await reply(run, chat, "Tea", { afterRevision: known })();
      hold("former", answer.status === 409 && answer.at("code") === "session.moved_on", { body: answer.body, known });
      const since = model.steps.filter(({ revision }) => revision > known);
      const seen = answer.list("data.steps");
      holdEqual("former", { expected: model.revision, seen: answer.at("data.revision") });
      // The list also contains steps that were undone in the meantime, so the client reads the session again.
      if (model.wentBackAt > known) return;
      holdEqual("former", {
        expected: since.map(({ revision, said }) => ({ revision, said })),
        seen: seen.map((step, at) => ({
          revision: Object(step).revision,
          said: textsOf(answer, `data.steps.${at}.messages`),
        })),
      });
      await watchAll(run);
    },
  },
  {
    name: "command",
    means: "A visitor says a command of the flow.",
    often: 6,
    when: (_, chat) => !isOver(chat.model) && commandsOf(chat).length > 0,
    async run(run, chat, pick) {
      const begunAt = run.world.now();
      const word = picked([commandsOf(chat)[0] ?? "", ...commandsOf(chat)], pick + 1);
      const send = reply(run, chat, { type: "command", command: word }, { key: newWord(run, "key-of-a-command-") });
      const answer = await send();
      moveNow(chat);
      const step = happens.command(chat.model, word, outsideAfter(run, answer), momentFrom(run, begunAt));
      chat.model.unseen = undefined;
      holdStep(run, chat, answer, step);
      chat.last = { send, answer };
    },
  },
  {
    name: "comeBack",
    means: "A visitor's client comes back from a long wait.",
    often: 2,
    when(_, { model }) {
      const part = waitingPart(model.state);
      return part !== undefined && "wait" in part;
    },
    async run(run, chat) {
      const begunAt = run.world.now();
      const answer = await reply(run, chat, null)();
      const step = happens.timeout(chat.model, outsideAfter(run, answer), momentFrom(run, begunAt));
      chat.model.unseen = undefined;
      holdStep(run, chat, answer, step);
    },
  },
];

function commandsOf({ model }: Chat): string[] {
  return Object.keys(scriptOf(innermost(model.state).flow).commands ?? {});
}
