import { blocks } from "../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../src/core/interpreter/flow.ts";
import { type HeldChat, readSteps, type StoredStep } from "../../src/core/replay/chat.ts";
import { contentHash, type RecordedReport, writeInputs } from "../../src/core/replay/inputs.ts";
import { replay } from "../../src/core/replay/replay.ts";
import { type ReplayedPage, replayPage, versionsOf } from "../../src/core/replay/replay-page.ts";
import type { AdvanceAnswer, AdvanceTask, ProgramText, TaskInput } from "../../src/core/tasks/messages.ts";
import { createMeter, sharedQuota } from "../../src/core/tasks/meter.ts";
import { createProgramCache, programCacheBytes } from "../../src/core/tasks/program-cache.ts";
import { runTask, type ThreadTools } from "../../src/core/tasks/run-task.ts";
import { type Talk as Conversation, talkThrough } from "../../src/core/test-conversations/talk.ts";
import { fittingReply } from "./replies-arbitrary.ts";
import { reportOf, runScript, type Talk } from "./talks.ts";

/** A chat in the stored format, with its flows. */
export type StoredChat = {
  readonly chat: HeldChat;
  readonly steps: readonly StoredStep[];
  readonly programs: readonly ProgramText[];
};

/** Endless scripts are stopped early in these tests. */
export const tools: ThreadTools = { blocks, cache: createProgramCache(programCacheBytes, blocks), runScript };

/** Runs a test conversation as a visitor's chat. */
export function holdConversation(flow: FlowDocument, conversation: Conversation): StoredChat {
  const recorder = createRecorder();
  talkThrough(flow, { ...conversation, isPreview: false }, recorder.run);
  return recorder.stored();
}

/** Runs a chat with any flow and any replies. */
export function holdTalk(talk: Talk, number: number): StoredChat {
  const recorder = createRecorder();
  const program = { key: "bot:1", botId: "bot", flow: JSON.stringify(talk.flow) };
  const programs = [program, { key: "other:1", botId: "other", flow: JSON.stringify(talk.other) }];
  let state = "";
  for (const [index, said] of [talk.first, ...talk.replies].entries()) {
    const reply = typeof said === "number" ? fittingReply(recorder.input(), said) : said;
    const options = { prefilledVariables: talk.prefilled };
    const { isOnlyRegistering, contentFormat } = talk;
    const input: TaskInput =
      index === 0
        ? { kind: "start", resultId: "result", isStreamEnabled: false, isOnlyRegistering, reply, options }
        : { kind: "reply", state, reply };
    const now = Date.parse("2026-11-20T12:00:00.000Z") + 1_000 * (number + index);
    const seed = contentHash([number, index]);
    let task: AdvanceTask = { program, programs, context: { now, seed, isLive: true, contentFormat }, input };
    let answer = recorder.run(task);
    for (let effects = 1; answer.kind === "performing"; effects++) {
      const { effect, continuation } = answer;
      task = { ...task, input: { kind: "report", continuation, report: reportOf(effect, talk.luck + effects) } };
      answer = recorder.run(task);
    }
    if (answer.kind === "stepped") state = answer.step.state;
    if (state === "") break;
  }
  return recorder.stored();
}

/** Runs steps and records the data that the service would store. */
function createRecorder() {
  const steps: StoredStep[] = [];
  let begun: AdvanceTask | undefined;
  let reports: RecordedReport[] = [];
  let pending: Pick<RecordedReport, "effect" | "blockId"> | undefined;
  let isEnded = false;
  const taken = (answer: AdvanceAnswer): AdvanceAnswer => {
    if (answer.kind === "performing") pending = { effect: contentHash(answer.effect), blockId: answer.blockId };
    if (answer.kind !== "stepped" || !begun || (begun.input.kind !== "start" && begun.input.kind !== "reply"))
      return answer;
    const { response } = answer.step;
    const inputs = writeInputs(begun, { reports, movedFrom: undefined });
    steps.push([steps.length + 1, carried(begun.input.reply), response, inputs, null]);
    isEnded = answer.step.isEnded;
    return answer;
  };
  return {
    run(given: AdvanceTask): AdvanceAnswer {
      const { botId } = given.program;
      const envelope = { sessionId: "session", resultId: "result", botId, publishedAt: "2026-11-20T12:00:00.000Z" };
      const { input } = given;
      const more = { name: "Bot", language: "de", dialect: "bot" } as const;
      const task: AdvanceTask =
        input.kind === "start"
          ? { ...given, input: { ...input, resultId: "result" }, envelope: { ...envelope, ...more } }
          : given;
      if (input.kind === "report" && pending) reports.push({ ...pending, report: carried(input.report) });
      else if (input.kind !== "report") {
        begun = task;
        reports = [];
      }
      const first = begun?.envelope && input.kind === "report" ? { ...task, envelope: begun.envelope } : task;
      return taken(runTask(tools, first, createMeter(sharedQuota)));
    },
    input: () => JSON.parse(steps.at(-1)?.[2] ?? "{}").input,
    stored(): StoredChat {
      const { program, programs } = begun ?? { program: { key: "", botId: "" }, programs: [] };
      const flowHash = program.key.slice(program.key.indexOf(":") + 1);
      const ids = { resultId: "result", sessionId: "session", botId: program.botId };
      return { chat: { ...ids, dialect: "bot", flowHash, isEnded, isCut: false }, steps, programs };
    },
  };
}

/** Returns the number of steps of a chat that are reproduced byte for byte with their own flows. */
export function equalSteps({ chat, steps, programs }: StoredChat): number {
  for (const program of programs) tools.cache.add(program);
  const run = (task: AdvanceTask) => ({ answer: runTask(tools, task), walked: [] });
  const read = readSteps(steps);
  const retaken = [...replay(run, chat, { steps: read.steps, programAt: versionsOf(chat, read.steps) })];
  return retaken.filter((again, index) => again.kind === "stepped" && again.step.response === steps[index]?.[2]).length;
}

/** Replays chats with another flow and returns the outcome. */
export function replayAll(chats: readonly StoredChat[], flow: FlowDocument): ReplayedPage {
  const { botId } = chats[0]?.chat ?? { botId: "" };
  const text = JSON.stringify(flow);
  const target = { key: `${botId}:${contentHash(flow)}`, botId };
  const programs = [{ ...target, flow: text }, ...chats.flatMap((one) => one.programs)];
  return replayPage(
    tools,
    {
      ...{ target, programs, gone: [], from: 0 },
      chats: chats.map(({ chat }) => chat),
      steps: JSON.stringify(chats.map(({ steps }) => steps)),
    },
    () => false,
  );
}

/** Returns a value as it is after being stored. */
function carried<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
