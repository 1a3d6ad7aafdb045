import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { lowPriority } from "../../../src/chat/threads/lower-priority.ts";
import { createThreads } from "../../../src/chat/threads/threads.ts";
import { limits } from "../../../src/limits/index.ts";
import { flowOf, says } from "../../support/chat.ts";

const tasks = "/proc/self/task";

/** Returns the nice value of each thread of this process. A greater number is a lower priority. */
function priorities(): Map<string, number> {
  return new Map(
    readdirSync(tasks).flatMap((id): [string, number][] => {
      const path = `${tasks}/${id}/stat`;
      if (!existsSync(path)) return [];
      // The text before the last closing bracket is a name that may contain any character.
      const stat = readFileSync(path, "utf8").replace(/^.*\) /s, "");
      return [[id, Number(stat.split(" ")[16])]];
    }),
  );
}

test.skipIf(!existsSync(tasks))(
  "the slow thread gets a lower priority, and the priorities of other threads stay unchanged",
  async () => {
    const long = flowOf(Array.from({ length: limits.step.blocks + 1 }, (_, index) => says(`${index}`)));
    const threads = createThreads({ count: 1 });
    const step = (flow: object, botId: string) =>
      threads.advance(
        {
          program: { key: `${botId}:1`, botId },
          programs: [],
          context: { now: 0, seed: "0".repeat(32), isLive: false, contentFormat: "richText" },
          input: {
            kind: "start",
            resultId: null,
            isStreamEnabled: false,
            isOnlyRegistering: false,
            reply: null,
            options: {},
          },
        },
        { loadFlow: async () => JSON.stringify(flow) },
      );
    await step(flowOf([]), "ordinary");
    const before = priorities();
    // The flow has more blocks than a step may run. The slow thread finds this out, because a shared thread gives the
    // step less time.
    expect(await step(long, "slow")).toMatchObject({ kind: "refused", code: "step.over_budget" });

    const after = priorities();
    const begun = [...after].filter(([id]) => !before.has(id)).map(([, priority]) => priority);
    expect(begun).toContain(lowPriority);
    expect([...before].filter(([id, priority]) => after.has(id) && after.get(id) !== priority)).toEqual([]);
    await threads.close();
  },
);
