import type { Answer } from "../../../support/client.ts";
import { waitFor } from "../../../support/wait.ts";
import { happens, isOver } from "../model.ts";
import type { Death } from "../nodes/node.ts";
import { holdStep, moveNow } from "../observe.ts";
import { hold } from "../promises.ts";
import { ask, type Chat, momentFrom, newWord, type Run } from "../run.ts";
import { type Act, picked } from "./act.ts";
import { asksNow, outsideAfter, rightReply } from "./talk.ts";

export const crashActs: readonly Act[] = [
  {
    name: "crash",
    means: "The node dies between two acts of a step, and the client sends its reply again to another one.",
    often: 2,
    // Chats that are about to move are excluded. A repeated step keeps its version, but a step without calls moves to
    // the new version.
    when: (_, chat) => asksNow(chat) && chat.movingTo === undefined,
    async run(run, chat, pick) {
      const begunAt = run.world.now();
      const message = rightReply(run, chat, pick);
      const body = { message, afterRevision: chat.model.revision };
      const options = { headers: { "Idempotency-Key": newWord(run, "key-of-a-crash-") }, body };
      const path = `/sessions/${chat.sessionId}/continueChat`;
      const death = picked(run.world.deaths, pick);
      const before = run.world.outside.requests.length;
      await run.world.dieAt(death, (client) => client.post(`/api/v1${path}`, options));
      const answer = await insist(() => ask(run, "post", path, options));
      moveNow(chat);
      const step = happens.answer(chat.model, message, outsideAfter(run, answer), momentFrom(run, begunAt));
      chat.model.unseen = undefined;
      holdStep(run, chat, answer, step, "survived");
      holdCalls(run, chat, { death, calls: step.calls, since: before });
      chat.last = undefined;
    },
  },
];

/**
 * Deaths after which no call of a step is repeated. After any other death, the last call may be repeated, because it is
 * not recorded before the step is saved.
 */
const repeatNothing: ReadonlySet<Death> = new Set(["after the report", "after the save"]);

/** Checks that the fake server received no more calls than the step may make. */
function holdCalls(
  run: Run,
  { model, result }: Chat,
  { death, calls, since }: { death: Death; calls: number; since: number },
): void {
  // Chats of one result share notes, and the other chat may have continued by itself.
  if (result.chats.length > 1 || isOver(model)) return;
  const notes = model.state.frames.flatMap(({ variables }) => variables.Note ?? []);
  const made = run.world.outside.requests
    .slice(since)
    .filter(({ body }) => notes.includes(String(Object(JSON.parse(body)).note)));
  const most = calls + (repeatNothing.has(death) ? 0 : 1);
  hold("survived", made.length <= most, { flow: model.flow, death, calls, made: made.length });
}

/** Repeats the request until it is answered, as clients do. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  await waitFor(
    async () => {
      if (![409, 503].includes(answer.status) || answer.at("code") === "session.moved_on") return true;
      answer = await send();
      return false;
    },
    { withinMs: 20_000, what: "an answer of the next node" },
  );
  return answer;
}
