import { lookAt } from "../invariants.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, manage } from "../run.ts";
import type { Act } from "./act.ts";

export const resultActs: readonly Act[] = [
  {
    name: "look",
    means: "Its author reads the result everywhere, and exports it.",
    often: 1,
    when: (_, { result }) => !result.isErased,
    run: (run, chat) => lookAt(run, chat.result),
  },
  {
    name: "erase",
    means: "Its author deletes the result, and erases it at once.",
    often: 1,
    when: (_, { result }) => !result.isErased,
    async run(run, { bot, result }) {
      const { botId } = bot;
      const body = { resultIds: [result.resultId] };
      hold("erased", (await manage(run, "delete", `/bots/${botId}/results`, body)).status === 200, {});
      const erased = await manage(run, "post", `/bots/${botId}/results/erase`, body);
      hold("erased", erased.status === 200, { body: erased.body });
      result.isErased = true;
      for (const { sessionId } of result.chats) {
        const read = await ask(run, "get", `/sessions/${sessionId}`);
        hold("erased", read.status === 404, { status: read.status });
      }
      const gone = await manage(run, "get", `/bots/${botId}/results/${result.resultId}`);
      holdEqual("erased", { expected: 404, seen: gone.status });
    },
  },
];
