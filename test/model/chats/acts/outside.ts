import { happens, hearsNow, isOver } from "../model.ts";
import { moveNow, noteSeen, watchAll } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, type Chat, newWord, outsideOf, type Run } from "../run.ts";
import { type Act, picked } from "./act.ts";

/** The number of seconds for which an early call is stored. */
const earlySeconds = 60;
const mostEarly = 10;

export const outsideActs: readonly Act[] = [
  {
    name: "pass",
    means: "Time passes.",
    often: 9,
    when: () => true,
    async run(run, _, pick) {
      const seconds = picked([20, 45, 70, 110, 650], pick);
      await run.world.move(seconds);
      await watchAll(run);
      if (seconds < 600) return;
      await run.world.checkPayments();
      await watchAll(run);
    },
  },
  {
    name: "slow",
    means: "The next call of a server outside takes long.",
    often: 5,
    when: () => true,
    async run(run, _, pick) {
      run.world.slowDown(picked([30, 65, 105], pick));
    },
  },
  {
    name: "call",
    means: "Somebody calls the address that the chat handed out: it may be early, or late.",
    often: 6,
    when: (_, { address, model }) => address !== undefined && !hearsNow(model),
    run: call,
  },
  {
    name: "callWaiting",
    means: "Somebody calls while the chat waits for that.",
    often: 6,
    when: (_, chat) => chat.address !== undefined && hearsNow(chat.model),
    run: call,
  },
  {
    name: "callAgain",
    means: "The same call comes again, under its key.",
    often: 2,
    when: (_, { calls }) => calls.size > 0,
    async run(run, chat, pick) {
      const known = [...chat.calls];
      const [key, { order }] = known[pick % known.length] ?? ["", { order: "" }];
      const before = chat.model.revision;
      const answer = await send(run, chat, order, key);
      // A dropped early call counts as a new call. A call for a chat that is over causes no step.
      const isTaken = chat.result.chats.some(({ model }) =>
        model.steps.some(({ said, cause }) => cause === "called" && said.some((text) => text.includes(order))),
      );
      if (isTaken)
        holdEqual("called", { expected: [200, false], seen: [answer.status, answer.at("isWaiting")], order });
      await watchAll(run);
      if (isTaken) holdEqual("called", { expected: before, seen: chat.model.revision, order });
    },
  },
];

/**
 * Returns the chats that may receive a call for a chat. An open chat receives its call itself if it waits for the call
 * or has continued since its start. Otherwise any open chat of the result may receive the call, starting with the
 * newest.
 */
function reachedBy(named: Chat): Chat[] {
  const open = named.result.chats.filter(({ model }) => !isOver(model)).toReversed();
  const isOwn = open.includes(named) && (named.model.revision > 1 || hearsNow(named.model));
  return isOwn ? [named] : open;
}

async function call(run: Run, named: Chat): Promise<void> {
  const reached = reachedBy(named);
  const chat = reached.find(({ model }) => hearsNow(model)) ?? reached[0] ?? named;
  const { model } = chat;
  const begunAt = run.world.now();
  const order = newWord(run, "A-");
  const key = newWord(run, "call-");
  const answer = await send(run, named, order, key);
  const facts = { flow: model.flow, body: answer.body, order, chats: chat.result.chats.length };
  if (reached.length === 0) {
    holdEqual("called", { ...facts, expected: "callback.over", seen: answer.at("code") });
    return;
  }
  const waiting = model.early.filter(({ until }) => until > run.world.now() && Number.isFinite(until));
  if (answer.at("code") === "session.busy") {
    hold("called", waiting.length >= mostEarly, facts);
    return;
  }
  hold("called", answer.status === 200, facts);
  named.calls.set(key, { order, answer });
  if (answer.at("isWaiting") === true) {
    hold("called", !hearsNow(model), { ...facts, note: "The chat waits for this call, and did not take it" });
    model.early.push({ order, until: begunAt + 1_000 * earlySeconds });
    return;
  }
  hold("called", hearsNow(model), { ...facts, note: "The call was taken, though the chat did not wait for it" });
  const read = await ask(run, "get", `/sessions/${chat.sessionId}`);
  moveNow(chat);
  const moment = { earliest: begunAt - 3, latest: run.world.now() + 3 };
  const { revision, said } = happens.call(model, order, outsideOf(run), () => moment);
  const index = read.list("session.steps").length - 1;
  holdEqual("called", {
    ...facts,
    expected: [revision, said],
    seen: [read.at("session.revision"), read.at(`session.steps.${index}.messages.*.content.plainText`)],
  });
  noteSeen(run, chat, read, `session.steps.${index}.`);
}

function send(run: Run, { address = "" }: Chat, order: string, key: string) {
  return run.world.client().post(address, { body: { order }, headers: { "webhook-id": key } });
}
