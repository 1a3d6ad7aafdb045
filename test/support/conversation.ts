import { blocks } from "../../src/blocks/index.ts";
import type { FlowDocument } from "../../src/interpreter/flow.ts";
import { isJsonObject, textAt, valueAt } from "../../src/interpreter/flow.ts";
import type { StartOptions } from "../../src/interpreter/start.ts";
import { limits } from "../../src/limits.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { type MessageBody, replyOf } from "../../src/services/replies.ts";
import type { AdvanceAnswer, FinishedStep, TaskInput } from "../../src/threads/messages.ts";
import { createProgramCache } from "../../src/threads/program-cache.ts";
import { type ThreadTools, think } from "../../src/threads/think.ts";

/** Noon on a Friday. */
export const conversationNow = Date.parse("2026-11-20T12:00:00.000Z");
const resultId = "06ey3k2m5q8r1t4v7x0z9w2b5d";

/** A conversation as a flow's author can read it. */
export type Conversation = {
  readonly title: string;
  /** The rules of the flow language that it shows. */
  readonly rules: readonly string[];
  /** A flow, or the name of one in test/flows. */
  readonly flow: unknown;
  readonly start?: StartOptions & { readonly message?: MessageBody };
  readonly isPreview?: boolean;
  readonly contentFormat?: "richText" | "markdown";
  readonly turns: readonly Turn[];
};

export type Turn = {
  /** What the visitor says; absent on the first turn, null for a reply without words. */
  readonly say?: MessageBody;
  readonly expect: Partial<Said>;
};

/** A step as an author would tell it. Only the named parts of it are compared. */
export type Said = {
  /** Texts as plain text, media by their address. */
  readonly shows: readonly unknown[];
  /** The type of the open input, or null. */
  readonly asks: string | null;
  /** What can be chosen. */
  readonly choices: readonly unknown[];
  readonly input: unknown;
  readonly actions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly progress: number;
  readonly ends: boolean;
  readonly answers: readonly (string | null)[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly isCompleted: boolean;
  readonly lastMessageNewFormat: string | null;
  readonly visitedEdges: readonly string[];
  readonly response: unknown;
};

const tools: ThreadTools = {
  blocks,
  cache: createProgramCache(limits.programCacheBytes),
  runScript: await createSandbox(),
};

/** Talks a flow through, and tells what was said at each turn. The state crosses as JSON text, as it does in the service. */
export function converse(
  flow: FlowDocument,
  conversation: Pick<Conversation, "start" | "turns" | "isPreview" | "contentFormat">,
): Said[] {
  const text = JSON.stringify(flow);
  const key = `conversation:${Bun.hash(text)}`;
  const heard: Said[] = [];
  let state: string | undefined;
  for (const [index, turn] of conversation.turns.entries()) {
    const live = conversation.isPreview ? null : resultId;
    const { message, ...options } = conversation.start ?? {};
    const reply = replyOf(index === 0 ? message : turn.say);
    const input: TaskInput =
      state === undefined
        ? { kind: "start", resultId: live, isStreamEnabled: false, isOnlyRegistering: false, reply, options }
        : { kind: "reply", state, reply };
    const step = finished(
      think(tools, {
        program: { key, botId: resultId },
        programs: [{ key, botId: resultId, flow: text }],
        context: {
          now: conversationNow,
          seed: `${"0".repeat(30)}${(index + 16).toString(16)}`,
          isLive: live !== null,
          contentFormat: conversation.contentFormat ?? "richText",
        },
        input,
      }),
    );
    state = step.state;
    heard.push(told(step));
  }
  return heard;
}

function finished(answer: AdvanceAnswer): FinishedStep {
  if (answer.kind !== "stepped") throw new Error(`The step did not finish: ${JSON.stringify(answer)}`);
  return answer.step;
}

function told(step: FinishedStep): Said {
  const response: unknown = JSON.parse(step.response);
  const list = (name: string): readonly unknown[] => {
    const value = valueAt(response, name);
    return Array.isArray(value) ? value : [];
  };
  const items = valueAt(response, "input", "items");
  const result = step.results.at(-1);
  const progress = valueAt(response, "progress");
  return {
    shows: list("messages").map(shown),
    asks: textAt(response, "input", "type") ?? null,
    choices: Array.isArray(items) ? items.map((item) => valueAt(item, "content") ?? valueAt(item, "title")) : [],
    input: valueAt(response, "input") ?? null,
    actions: list("clientSideActions"),
    logs: step.logs,
    progress: typeof progress === "number" ? Math.round(progress * 100) / 100 : -1,
    ends: step.isEnded,
    answers: step.answers.map((answer) => answer.content),
    variables: Object.fromEntries((result?.variables ?? []).map(({ name, value }) => [name, value])),
    isCompleted: result?.isCompleted ?? false,
    lastMessageNewFormat: textAt(response, "lastMessageNewFormat") ?? null,
    visitedEdges: step.visitedEdgeIds,
    response,
  };
}

function shown(message: unknown): unknown {
  const content = valueAt(message, "content");
  if (!isJsonObject(content)) return content;
  return content["plainText"] ?? content["markdown"] ?? content["url"] ?? content;
}
