import { happens, type Shown, shownSinceAnswer } from "../model.ts";
import { holdOpen, holdStep, moveNow, stayMoved, textsOf } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, type Chat, momentFrom, newWord, outsideOf, type Run } from "../run.ts";
import { partAt } from "../scripts.ts";
import { behind, innermost, scriptOf, waitingPart } from "../walk.ts";
import type { Act } from "./act.ts";
import { intentBy } from "./payments.ts";
import { asksNow, reply, rightReply } from "./talk.ts";

export const backActs: readonly Act[] = [
  {
    name: "goBack",
    means: "A visitor goes back to the last answer.",
    often: 6,
    when: (_, { model }) => model.steps.length > 0,
    run: goBack,
  },
  {
    name: "tryAgain",
    means: "A visitor has a model's answer made once more.",
    often: 3,
    when: (_, chat) => isAnsweredByModel(chat),
    async run(run, chat) {
      const { model } = chat;
      const begunAt = run.world.now();
      const last = model.steps.at(-1)?.reply ?? "";
      const headers = { "Idempotency-Key": newWord(run, "key-of-trying-again-") };
      const send = () => ask(run, "post", `/sessions/${chat.sessionId}/tryAgain`, { headers, body: {} });
      const answer = await send();
      happens.goBack(model, momentFrom(run, begunAt));
      stayMoved(chat);
      moveNow(chat);
      const step = happens.answer(model, last, outsideOf(run), momentFrom(run, begunAt));
      holdStep(run, chat, answer, step, "back");
      chat.last = { send, answer };
    },
  },
  {
    name: "rate",
    means: "A visitor rates a model's answer.",
    often: 2,
    when: (_, chat) => chat.model.steps.some((step) => ratable(step.said) !== undefined),
    async run(run, chat, pick) {
      const steps = chat.model.steps.filter(({ said }) => ratable(said) !== undefined);
      const { revision } = steps[pick % steps.length] ?? { revision: 0 };
      const rated = { blockId: "ask-3", revision, isGood: pick % 2 === 0 };
      const answer = await ask(run, "post", `/sessions/${chat.sessionId}/rating`, { body: rated });
      hold("shown", answer.status === 200, { rated, body: answer.body });
      chat.ratings.set(revision, rated);
    },
  },
  {
    name: "stop",
    means: "A visitor stops a model's answer.",
    often: 3,
    when: (_, chat) => asksNow(chat) && asksModelNext(chat),
    async run(run, chat, pick) {
      const { model } = chat;
      const begunAt = run.world.now();
      const message = `${rightReply(run, chat, pick)} and more words`;
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const release = run.world.model.onWord((index) => {
        if (index !== 2) return undefined;
        reached.resolve();
        return released.promise;
      });
      const send = reply(run, chat, message, { key: newWord(run, "key-of-a-stop-") });
      const answering = send();
      await Promise.race([reached.promise, answering]);
      const stopped = await ask(run, "post", `/sessions/${chat.sessionId}/stopAnswer`, {});
      released.resolve();
      const answer = await answering;
      release();
      hold("stopped", stopped.at("isStopping") === true, { body: stopped.body });
      const whole = `You said: ${message}`;
      const seen = textsOf(answer)[0] ?? "";
      const said = seen.replace(/ \(\d+\)$/, "");
      hold("stopped", whole.startsWith(said), { whole, seen });
      moveNow(chat);
      const step = happens.answer(model, message, { ...outsideOf(run), said: () => said }, momentFrom(run, begunAt));
      model.log.push("The answer ends early, because the visitor stopped it");
      holdStep(run, chat, answer, step, "stopped");
      chat.last = { send, answer };
    },
  },
];

async function goBack(run: Run, chat: Chat): Promise<void> {
  const { model } = chat;
  const begunAt = run.world.now();
  const headers = { "Idempotency-Key": newWord(run, "key-of-going-back-") };
  const send = () => ask(run, "post", `/sessions/${chat.sessionId}/goBack`, { headers });
  const over = shownSinceAnswer(model);
  const statusOf = ({ secret }: Shown) => intentBy(run, secret)?.status;
  const isMade = over.some((shown) => isTaken(statusOf(shown)));
  const answer = await send();
  const facts = { flow: model.flow, body: answer.body, isMade, wasPaid: model.steps.some(({ took }) => took?.wasPaid) };
  if (run.away > 0 && answer.status === 503) return;
  if (isMade) {
    hold("back", answer.status === 409 && answer.at("code") === "payment.made", facts);
    return;
  }
  const back = happens.goBack(model, momentFrom(run, begunAt));
  if (!back) {
    const codes = ["session.nothing_before", "payment.made"];
    hold("back", answer.status === 409 && codes.includes(String(answer.at("code"))), facts);
    return;
  }
  hold("back", answer.status === 200, facts);
  stayMoved(chat);
  holdEqual("back", { expected: back.taken, seen: answer.at("takenBack.steps"), flow: model.flow });
  holdEqual("back", { expected: [], seen: textsOf(answer) });
  holdOpen("back", chat, answer.at("input"), { flow: model.flow, cause: "goBack" });
  hold(
    "charged",
    over.every((shown) => statusOf(shown) === "canceled"),
    {
      ...facts,
      statuses: over.map(statusOf),
      note: "A payment that was gone back over can still be paid",
    },
  );
  chat.last = { send, answer };
}

/** Returns whether a payment has succeeded or is being processed. */
function isTaken(status: string | undefined): boolean {
  return status === "succeeded" || status === "processing";
}

/** Returns the bubble with a model's answer, or undefined if the step has none. */
function ratable(said: readonly string[]): string | undefined {
  return said.find((text) => text.startsWith("You said"));
}

function isAnsweredByModel({ model }: Chat): boolean {
  const last = model.steps.at(-1);
  return last?.cause === "reply" && last.took !== undefined && ratable(last.said) !== undefined && !last.took.wasPaid;
}

function asksModelNext({ model }: Chat): boolean {
  const part = waitingPart(model.state);
  const place = behind(model.state);
  const next = place && partAt(scriptOf(innermost(model.state).flow), place);
  return part !== undefined && "ask" in part && next !== undefined && "model" in next;
}
