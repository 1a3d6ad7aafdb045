import type { Answer } from "../../../support/client.ts";
import { waitFor } from "../../../support/wait.ts";
import { happens } from "../model.ts";
import { holdStep, moveNow } from "../observe.ts";
import { ask, momentFrom, newWord } from "../run.ts";
import { type Act, picked } from "./act.ts";
import { asksNow, outsideAfter, rightReply } from "./talk.ts";

export const crashActs: readonly Act[] = [
  {
    name: "crash",
    means: "The node dies between two acts of a step, and the client sends its reply again to another one.",
    often: 2,
    // A step that was begun is done again on its own version; one without calls moves.
    when: (_, chat) => asksNow(chat) && chat.movingTo === undefined,
    async run(run, chat, pick) {
      const begunAt = run.world.now();
      const message = rightReply(run, chat, pick);
      const body = { message, afterRevision: chat.model.revision };
      const options = { headers: { "Idempotency-Key": newWord(run, "key-of-a-crash-") }, body };
      const path = `/sessions/${chat.sessionId}/continueChat`;
      await run.world.dieAt(picked(run.world.deaths, pick), (client) => client.post(`/api/v1${path}`, options));
      const answer = await insist(() => ask(run, "post", path, options));
      moveNow(chat);
      const step = happens.answer(chat.model, message, outsideAfter(run, answer), momentFrom(run, begunAt));
      chat.model.unseen = undefined;
      holdStep(run, chat, answer, step, "survived");
      chat.last = undefined;
    },
  },
];

/** As clients do: the same request, until it is answered. */
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
