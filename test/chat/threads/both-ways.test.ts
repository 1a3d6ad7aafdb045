import { expect, test } from "bun:test";
import { Glob } from "bun";
import { compilePauseMs } from "../../../src/chat/threads/inline-runner.ts";
import { createThreads } from "../../../src/chat/threads/threads.ts";
import { blocks } from "../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../src/core/interpreter/flow.ts";
import type { BlockDefinition } from "../../../src/core/interpreter/program/block.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramName } from "../../../src/core/tasks/messages.ts";
import { createMeter, sharedQuota } from "../../../src/core/tasks/meter.ts";
import { createProgramCache, programCacheBytes } from "../../../src/core/tasks/program-cache.ts";
import { runTask } from "../../../src/core/tasks/run-task.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { type Conversation, converse } from "../../support/conversation.ts";

const folder = `${import.meta.dir}/../..`;

const counted = { inline: 0 };
const listening = new Map(
  [...blocks].map(([type, block]): [string, BlockDefinition] => {
    const prepare: BlockDefinition["prepare"] = (stored) => {
      const prepared = block.prepare(stored);
      const run: typeof prepared.run = (...given) => {
        counted.inline++;
        return prepared.run(...given);
      };
      return { ...prepared, run };
    };
    return [type, { ...block, prepare }];
  }),
);
/**
 * The quota of a short step. Longer steps, and steps over a budget, would count as slow for their bot, and all steps in
 * this test belong to one bot.
 */
const shortQuota = { ...sharedQuota, scriptTicks: 5_000_000 };
const tools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript: await createSandbox() };
let time = 0;
/** Runs the steps of every third conversation, or in the long run of all conversations. */
const every = sizeOf({ short: 3, long: 1 });

test("short steps have the same outcome inline and on a thread", async () => {
  const steps = await allSteps();
  const unequal: unknown[] = [];
  await using ends = new AsyncDisposableStack();
  const inlineTools = { blocks: listening, createSandbox, now: () => time, busyMs: () => time };
  const [onThreads, inline] = [createThreads({ count: 1 }), createThreads({ count: 1, inline: inlineTools })];
  ends.defer(onThreads.close);
  ends.defer(inline.close);
  // Each step runs twice, because the first run compiles its program.
  for (const [task, answer] of [...steps, ...steps]) {
    time += compilePauseMs;
    const loadFlow = async ({ key }: ProgramName) => task.programs.find((text) => text.key === key)?.flow ?? "";
    for (const threads of [onThreads, inline]) {
      const found = await threads.advance({ ...task, programs: [] }, { loadFlow });
      if (textOf(found) !== textOf(answer)) unequal.push({ found, answer });
    }
  }

  expect(unequal).toEqual([]);
  expect(steps.length).toBeGreaterThan(500 / every);
  expect(counted.inline).toBeGreaterThan(500 / every);
}, 300_000);

/** Removes the remaining script ticks, which differ by a few units between two sandboxes. */
function textOf(answer: AdvanceAnswer): string {
  return JSON.stringify(answer).replaceAll(/(?<=\bticksLeft\\*":)\d+/g, "");
}

async function allSteps(): Promise<[AdvanceTask, AdvanceAnswer][]> {
  const steps: [AdvanceTask, AdvanceAnswer][] = [];
  let seen = 0;
  for await (const path of new Glob("conversations/*/*.json").scan(folder)) {
    if (seen++ % every !== 0) continue;
    const conversation: Conversation = await Bun.file(`${folder}/${path}`).json();
    const flow: FlowDocument =
      typeof conversation.flow === "string"
        ? await Bun.file(`${folder}/flows/${conversation.flow}.json`).json()
        : conversation.flow;
    converse(flow, conversation, (task, answer) => {
      const isOverBudget = answer.kind === "refused" && answer.code === "step.over_budget";
      const isLong = runTask(tools, task, createMeter(shortQuota)).kind === "tooLong";
      if (!isLong && !isOverBudget) steps.push([task, answer]);
    });
  }
  return steps;
}
