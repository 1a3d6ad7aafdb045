import type { Answer } from "../../support/client.ts";
import { failuresLeft, lookAtCheck } from "./checks.ts";
import { type ChatModel, happens, hearsNow, isOver, type Moment, type StepModel, timeIn } from "./model.ts";
import { hold, holdEqual, type Promised } from "./promises.ts";
import { ask, type Chat, imprecisionMs, outsideOf, type Run } from "./run.ts";
import { anyAddress, euros, type Outside, waitingBlock, waitingPart } from "./walk.ts";

/** Returns the text with every callback address replaced by the model's placeholder. */
export function plain(text: string): string {
  return text.replace(/https?:\/\/\S+\/callbacks\/\S+/g, anyAddress);
}

export function textsOf(answer: Pick<Answer, "at">, path = "messages"): string[] {
  const messages = answer.at(path);
  if (!Array.isArray(messages)) return [];
  return messages.map((_, index) => plain(String(answer.at(`${path}.${index}.content.plainText`))));
}

/** Compares the response of a step with the model, and records the data that the visitor learned from the response. */
export function holdStep(
  run: Run,
  chat: Chat,
  answer: Answer,
  step: StepModel,
  promised: Promised = "shown",
  before: readonly string[] = [],
): void {
  const { model } = chat;
  const facts = { flow: model.flow, cause: step.cause, reply: step.reply };
  hold(promised, answer.status === 200, { ...facts, status: answer.status, body: answer.body });
  holdEqual(promised, { ...facts, expected: [...before, ...step.said], seen: textsOf(answer) });
  holdOpen(promised, chat, answer.at("input"), facts);
  noteSeen(run, chat, answer);
}

/** Compares the open input with the waiting part. Parts that wait for no reply have no input. */
export function holdOpen(promised: Promised, { model }: Chat, input: unknown, facts: object): void {
  const part = waitingPart(model.state);
  const isInput = part !== undefined && ("ask" in part || "choose" in part || "pay" in part);
  holdEqual(promised, { ...facts, expected: isInput ? waitingBlock(model.state) : undefined, seen: Object(input).id });
}

/**
 * Records what a visitor's client learns from a step (a callback address and the requested payment), and checks the
 * amount of the payment.
 */
export function noteSeen(run: Run, chat: Chat, answer: Pick<Answer, "at">, path = ""): void {
  const found = /https?:\/\/\S+\/callbacks\/[^\s"\\]+/.exec(JSON.stringify(answer.at(`${path}messages`)) ?? "");
  if (found) chat.address = new URL(found[0]).pathname;
  const { visit, shown } = chat.model;
  const secret = answer.at(`${path}input.runtimeOptions.paymentIntentSecret`);
  if (visit?.costs === undefined || typeof secret !== "string") return;
  const intent = [...run.world.stripe.intents.values()].find(({ client_secret }) => client_secret === secret);
  hold("charged", intent?.amount === visit.costs, {
    costs: visit.costs,
    asked: intent?.amount,
    status: intent?.status,
  });
  holdEqual("charged", {
    expected: euros(visit.costs / 100),
    seen: answer.at(`${path}input.runtimeOptions.amountLabel`),
  });
  if (!shown.some((one) => one.secret === secret && one.visit === visit))
    shown.push({ secret, visit, revision: chat.model.revision });
}

/** Returns the provider's intent that the current visit of a payment showed last. */
export function intentOf(run: Run, { model }: Chat) {
  const shown = model.shown.findLast(({ visit }) => visit === model.visit);
  return [...run.world.stripe.intents.values()].find(({ client_secret }) => client_secret === shown?.secret);
}

/** Returns whether the open visit has been paid in full. */
export function isPaid(run: Run, chat: Chat): boolean {
  const intent = intentOf(run, chat);
  return (
    intent !== undefined && intent.status === "succeeded" && intent.amount_received >= (chat.model.visit?.costs ?? 0)
  );
}

/** Moves the chat to the new version at its next input, if the chat can continue there. */
export function moveNow(chat: Chat): void {
  const { bot, movingTo, model } = chat;
  if (movingTo === undefined || movingTo !== bot.live || isOver(model)) return;
  const part = waitingPart(model.state);
  const [frame, ...others] = model.state.frames;
  if (!frame || others.length > 0 || !part || !("ask" in part || "choose" in part || "pay" in part)) return;
  frame.edition = bot.editions.get(movingTo) ?? 1;
  chat.publication = movingTo;
  chat.movingTo = undefined;
}

/**
 * Keeps a moved chat in its new version after its visitor has gone back, if possible. Otherwise the chat moves again at
 * a later input.
 */
export function stayMoved(chat: Chat): void {
  const { bot, model, publication } = chat;
  const [frame, ...others] = model.state.frames;
  const edition = bot.editions.get(publication) ?? 1;
  if (!frame || frame.edition === edition) return;
  if (others.length > 0) chat.movingTo = publication;
  else frame.edition = edition;
}

/** Reads the steps that each chat ran by itself, and checks that each step may happen without a request. */
export async function watchAll(run: Run): Promise<void> {
  await watchEach(run);
  if (!run.chats.some(waitsForEarlyCall)) return;
  await run.world.move(betweenTriesSeconds);
  await watchEach(run);
  for (const { model, result } of run.chats) {
    const chats = result.chats.length;
    const facts = { flow: model.flow, early: model.early, chats, note: "A call that waits was not taken" };
    hold(
      "called",
      result.isErased || !hearsNow(model) || !model.early.some(({ until }) => until > run.world.now()),
      facts,
    );
  }
}

/** An early call is retried each second. */
const betweenTriesSeconds = 1.1;

/** Returns whether a chat has reached a block for which a call is waiting. */
export function waitsForEarlyCall({ model, result }: Chat): boolean {
  return !result.isErased && hearsNow(model) && model.early.length > 0;
}

async function watchEach(run: Run): Promise<void> {
  const before = { at: run.world.now(), failures: failuresLeft(run) };
  await run.world.settle();
  for (const chat of run.chats) {
    if (chat.result.isErased) continue;
    await watch(run, chat);
    lookAtCheck(run, chat, { ...before, isPaid: isPaid(run, chat) });
  }
  const now = run.world.now();
  for (const { early } of run.chats.map(({ model }) => model))
    early.splice(0, early.length, ...early.filter(({ until }) => until + 2_000 > now));
}

async function watch(run: Run, chat: Chat): Promise<void> {
  const { model } = chat;
  if (isOver(model)) return;
  const read = await ask(run, "get", `/sessions/${chat.sessionId}`);
  hold("shown", read.status === 200, { flow: model.flow, status: read.status, body: read.body });
  const steps = read.list("session.steps");
  for (const [index, raw] of steps.entries()) {
    if (Number(Object(raw).revision) <= model.revision) continue;
    const at = Date.parse(String(Object(raw).createdAt));
    const texts = textsOf(read, `session.steps.${index}.messages`);
    explain(run, chat, { texts, at });
    noteSeen(run, chat, read, `session.steps.${index}.`);
  }
  holdNothingIsDue(run, chat);
}

type SeenStep = { readonly texts: string[]; readonly at: number };

/** Finds the cause of a step without a request, and checks whether the step may happen. */
function explain(run: Run, chat: Chat, seen: SeenStep): void {
  const { model } = chat;
  const moment = (): Moment => ({ earliest: seen.at - imprecisionMs, latest: run.world.now() });
  const facts = {
    flow: model.flow,
    waits: waitingBlock(model.state),
    visit: model.visit,
    seen: seen.texts,
    at: seen.at,
    costs: model.visit?.costs,
    chats: chat.result.chats.length,
  };
  const causes = causesOf(run, chat, seen.at);
  for (const isPaymentRefused of run.away > 0 ? [false, true] : [false]) {
    const outside = outsideOf(run, { isPaymentRefused });
    for (const { word, promised, mayBe, happen } of causes) {
      const take = (target: Chat): void => {
        moveNow(target);
        happen(target.model, outside, moment);
      };
      const tried = { ...chat, model: structuredClone(model) };
      take(tried);
      if (!Bun.deepEquals(tried.model.steps.at(-1)?.said, seen.texts)) continue;
      hold(promised, mayBe, { ...facts, cause: word });
      const saw = model.unseen ? model.unseen.block : waitingBlock(model.state);
      // Clients that wait for a call poll for the step by themselves.
      const isLookedFor = hearsNow(model);
      take(chat);
      if (!isLookedFor || model.unseen)
        model.unseen = { block: saw, said: [...(model.unseen?.said ?? []), ...seen.texts] };
      return;
    }
  }
  const expected = causes.map(({ word }) => word);
  hold("shown", false, { ...facts, expected, note: "Nothing that may happen by itself shows this" });
}

type PossibleCause = {
  readonly word: string;
  /** The promise that is broken if the step may not happen. */
  readonly promised: Promised;
  readonly mayBe: boolean;
  happen(model: ChatModel, outside: Outside, moment: () => Moment): void;
};

function causesOf(run: Run, chat: Chat, at: number): PossibleCause[] {
  const { model } = chat;
  const part = waitingPart(model.state);
  const paid: PossibleCause = {
    ...{ word: "paid", promised: "paid", mayBe: isPaid(run, chat) },
    happen: (target, outside, moment) => void happens.answer(target, "Success", outside, moment, null),
  };
  const timeout: PossibleCause = {
    ...{ word: "time-out", promised: "inTime", mayBe: timeIn(model, at + imprecisionMs).mayBeOver },
    happen: (target, outside, moment) => void happens.timeout(target, outside, moment),
  };
  const calls = chat.result.chats.flatMap((named) =>
    named.model.early.map(
      ({ order, until }): PossibleCause => ({
        // A call whose chat did not reach its block is offered to the other chats of its result.
        ...{ word: `call ${order}`, promised: "called", mayBe: named === chat || until <= at + imprecisionMs },
        happen(target, outside, moment) {
          happens.call(target, order, outside, moment);
          const { early } = named === chat ? target : named.model;
          early.splice(
            early.findIndex((each) => each.order === order),
            1,
          );
        },
      }),
    ),
  );
  return [
    ...(part && "pay" in part ? [paid] : []),
    ...(model.visit?.seconds === undefined ? [] : [timeout]),
    ...(hearsNow(model) ? calls : []),
  ];
}

/** Checks that no timeout of the chat is overdue by more than a second. */
function holdNothingIsDue(run: Run, chat: Chat): void {
  const { model } = chat;
  const { isOver: hasToBeOver } = timeIn(model, run.world.now() - 1_000);
  const facts = { flow: model.flow, waits: waitingBlock(model.state), now: run.world.now(), visit: model.visit };
  hold("due", !hasToBeOver, { ...facts, note: "The time of this question is over, and the chat has not gone on" });
}
