import { describe, expect, test } from "bun:test";
import { blocks } from "../../src/core/blocks/index.ts";
import type { Meter } from "../../src/core/interpreter/meter.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramText } from "../../src/core/tasks/messages.ts";
import { createMeter, sharedQuota } from "../../src/core/tasks/meter.ts";
import { createProgramCache } from "../../src/core/tasks/program-cache.ts";
import { runTask } from "../../src/core/tasks/run-task.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";
import { asks, flowOf, says } from "../support/chat.ts";

const runScript = await createSandbox();

function thread(cacheBytes: number) {
  const cache = createProgramCache(cacheBytes, blocks);
  return {
    cache,
    run: (task: AdvanceTask, meter?: Meter): AdvanceAnswer => runTask({ blocks, cache, runScript }, task, meter),
  };
}

function textOf(botId: string, flow: object): ProgramText {
  return { key: `${botId}:1`, botId, flow: JSON.stringify(flow) };
}

function startOf(...programs: readonly [ProgramText, ...ProgramText[]]): AdvanceTask {
  const [{ key, botId }] = programs;
  return {
    program: { key, botId },
    programs,
    context: { now: 0, seed: "0".repeat(32), isLive: true, contentFormat: "richText" },
    input: {
      kind: "start",
      resultId: "result",
      isStreamEnabled: false,
      isOnlyRegistering: false,
      reply: null,
      options: {},
    },
    envelope: { sessionId: "session", resultId: "result", botId, publishedAt: null, dialect: "bot" },
  };
}

describe("a start", () => {
  test("a start is refused if several scripts of its theme never end", () => {
    const endless = Array.from({ length: 8 }, () => ({ color: "{{= for (;;); return 1 =}}" }));
    const flow = { ...flowOf([asks("text input")]), theme: { general: { endless } } };

    const answer = thread(1_000_000).run(startOf(textOf("bot", flow)));

    expect(answer).toMatchObject({ kind: "refused", code: "step.over_budget", data: { limit: "scripts" } });
  }, 60_000);

  test("a theme with an endless script exceeds the limit of a shared thread", () => {
    const flow = { ...flowOf([asks("text input")]), theme: { color: "{{= for (;;); return 1 =}}" } };

    expect(thread(1_000_000).run(startOf(textOf("bot", flow)), createMeter(sharedQuota))).toEqual({ kind: "tooLong" });
  });

  test("a start succeeds even if a text contains 700,000 references", () => {
    const flow = flowOf([says("{{Name}}".repeat(700_000)), asks("text input")]);

    expect(thread(10_000_000).run(startOf(textOf("bot", flow)))).toMatchObject({ kind: "stepped" });
  });
});

describe("the flows that a thread caches", () => {
  const small = (botId: string) => textOf(botId, flowOf([says(`I am ${botId}`)]));
  const bytes = small("a").flow.length;

  test("a thread caches the most recently used flows", () => {
    const { cache } = thread(3 * bytes);
    for (const botId of ["a", "b", "b", "b", "b", "c"]) cache.add(small(botId));

    expect(["a:1", "b:1", "c:1"].filter((key) => cache.get(key))).toEqual(["a:1", "b:1", "c:1"]);
    cache.add(small("d"));
    expect(cache.get("a:1")).toBeUndefined();
  });

  test("a step runs even if its flows do not all fit into the cache of a thread", () => {
    const task = startOf(small("a"), small("b"), small("c"));

    expect(thread(bytes).run(task)).toMatchObject({ kind: "stepped" });
  });
});
