import { limits } from "../../limits/index.ts";
import type { FlowDocument } from "../interpreter/flow.ts";
import { createMeter, type Quota } from "../tasks/meter.ts";
import { runTask, type ThreadTools } from "../tasks/run-task.ts";
import { type Coverage, createFootprints } from "./coverage.ts";
import type { TestConversation } from "./schema.ts";
import { type Problem, talkThrough } from "./talk.ts";

/** The outcome of a test conversation. */
export type Outcome = {
  readonly title: string;
  readonly hasPassed: boolean;
  readonly problems: Problem[];
};

export type Proof = {
  readonly hasPassed: boolean;
  readonly outcomes: readonly Outcome[];
  /** The parts of the flow that all conversations together reached. */
  readonly coverage: Coverage;
};

/** The quota of an entire test conversation, or of an entire replayed chat. */
export const conversationQuota: Quota = {
  blocks: limits.testConversations.blocks,
  scriptTicks: limits.testConversations.scriptTicks,
  characters: limits.testConversations.characters,
  markdownCharacters: Number.POSITIVE_INFINITY,
};

/**
 * Runs conversations one after another, each within its own quota. Errors in a flow or conversation are never thrown.
 */
export function prove(
  tools: ThreadTools,
  flow: FlowDocument,
  conversations: readonly Omit<TestConversation, "flow">[],
): Proof {
  const footprints = createFootprints();
  const watched = { ...tools, watch: footprints };
  const outcomes = conversations.map((conversation): Outcome => {
    const meter = createMeter(conversationQuota);
    const { problems, steps } = talkThrough(flow, conversation, (task) => runTask(watched, task, meter));
    for (const step of steps) footprints.answered(step.answers);
    return { title: conversation.title, hasPassed: problems.length === 0, problems };
  });
  return {
    hasPassed: outcomes.every(({ hasPassed }) => hasPassed),
    outcomes,
    coverage: footprints.coverageOf(flow),
  };
}
