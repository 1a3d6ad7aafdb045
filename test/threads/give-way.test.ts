import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createThreads } from "../../src/threads/threads.ts";
import { flowOf } from "../support/chat.ts";

const tasks = "/proc/self/task";

/** The priorities of this process's threads, as the system has them: greater numbers give way. */
function priorities(): Set<string | undefined> {
  // What precedes the last bracket is a name, which may hold anything.
  const stats = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/stat`, "utf8").replace(/^.*\) /s, ""));
  return new Set(stats.map((stat) => stat.split(" ")[16]));
}

test.skipIf(!existsSync(tasks))("the thread of the runaways gives way to all others, and no other does", async () => {
  const endless = { id: "code", type: "Code", options: { content: "for (;;);", isExecutedOnClient: false } };
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
  expect(before).not.toContain("7");
  await step(flowOf([endless]), "hostile");

  expect(priorities()).toEqual(before.union(new Set(["7"])));
  await threads.close();
});
