import { expect } from "bun:test";
import { inlineQuota } from "../../src/chat/threads/inline-runner.ts";
import { blocks } from "../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../src/core/interpreter/flow.ts";
import type { AdvanceAnswer, AdvanceTask } from "../../src/core/tasks/messages.ts";
import { createMeter } from "../../src/core/tasks/meter.ts";
import { createProgramCache, programCacheBytes } from "../../src/core/tasks/program-cache.ts";
import { runTask, type ThreadTools } from "../../src/core/tasks/run-task.ts";
import type { Said } from "../../src/core/test-conversations/said.ts";
import type { TestConversation } from "../../src/core/test-conversations/schema.ts";
import { type Talk, talkThrough } from "../../src/core/test-conversations/talk.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";

export { conversationNow } from "../../src/core/test-conversations/talk.ts";

/** A conversation in the format that authors of flows can read. */
export type Conversation = TestConversation & {
  /** The rules of the flow language that the conversation demonstrates. */
  readonly rules: readonly string[];
  /** A flow, or the name of a flow in test/flows. */
  readonly flow: unknown;
};

const tools: ThreadTools = {
  blocks,
  cache: createProgramCache(programCacheBytes, blocks),
  runScript: await createSandbox(),
};

/**
 * Runs a conversation through a flow and returns the messages of each turn. `onAnswer` is called with every step.
 * Throws if a turn is impossible or causes unexpected effects, but does not check the expected messages.
 */
export function converse(
  flow: FlowDocument,
  conversation: Talk,
  onAnswer = (_: AdvanceTask, _answer: AdvanceAnswer) => {},
): readonly Said[] {
  const { heard, problems } = talkThrough(flow, conversation, (task) => {
    const answer = runEitherWay(task);
    onAnswer(task, answer);
    return answer;
  });
  expect(problems.filter(({ part }) => part === undefined || part === "effects")).toEqual([]);
  return heard;
}

/** Runs a task, and checks that a small budget leads to the same result or to none. */
function runEitherWay(task: AdvanceTask): AdvanceAnswer {
  const answer = runTask(tools, task);
  const brief = runTask(tools, task, createMeter(inlineQuota));
  if (brief.kind !== "tooLong") expect<AdvanceAnswer>(brief).toEqual(answer);
  return answer;
}
