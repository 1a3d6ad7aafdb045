import type { Program, ProgramGroup } from "../interpreter/program/program.ts";
import type { ProgramName, ProgramText } from "../tasks/messages.ts";
import { createMeter } from "../tasks/meter.ts";
import { runTask, type ThreadTools } from "../tasks/run-task.ts";
import { conversationQuota } from "../test-conversations/prove.ts";
import { type HeldChat, type HeldStep, type HeldSteps, readSteps, type StoredStep } from "./chat.ts";
import { addImpacts, type Impact, impactOf } from "./impact.ts";
import { type Judgement, judge } from "./judge.ts";

/** Some chats to replay with a flow. */
export type ReplayPage = {
  readonly target: ProgramName;
  /** Flows that an earlier answer requested. */
  readonly programs: readonly ProgramText[];
  /** Keys of requested flows that do not exist. */
  readonly gone: readonly string[];
  readonly chats: readonly HeldChat[];
  /** The steps of each chat, as JSON text, which the database wrote. */
  readonly steps: string;
  /** How many chats were replayed already. */
  readonly from: number;
};

export type ReplayedPage =
  /** Flows that the chats ran with, or will be replayed with. */
  | { readonly kind: "unknown_programs"; readonly names: readonly ProgramName[] }
  /** Steps from `from` up to, but not including, `until`: the replay regularly yields the thread. */
  | { readonly kind: "replayed"; readonly until: number; readonly impact: Impact };

/** Replays some chats, each within its bounds, until `isTimeUp`, but at least one. Replays store and send nothing. */
export function replayPage(tools: ThreadTools, page: ReplayPage, isTimeUp: () => boolean): ReplayedPage {
  const { target, chats, from } = page;
  const stored: readonly (readonly StoredStep[])[] = JSON.parse(page.steps);
  const held = chats.map((chat, index): Held => {
    const read = readSteps(stored[index] ?? []);
    return { chat, read, names: programsOf(chat, read) };
  });
  const programs = new Map(page.programs.map((text) => [text.key, tools.cache.add(text)]));
  const names = new Map([target, ...held.flatMap((one) => one.names)].map((name) => [name.key, name]));
  for (const { key } of names.values()) {
    const known = programs.get(key) ?? tools.cache.get(key);
    if (known) programs.set(key, known);
  }
  const gone = new Set(page.gone);
  const missing = [...names.values()].filter(({ key }) => !programs.has(key) && !gone.has(key));
  if (missing.length > 0) return { kind: "unknown_programs", names: missing };

  const known: ThreadTools = { ...tools, cache: { ...tools.cache, get: (key) => programs.get(key) } };
  const impacts: Impact[] = [];
  for (const one of held.slice(from)) {
    if (impacts.length > 0 && isTimeUp()) break;
    const isGone = one.names.some(({ key }) => gone.has(key));
    const judgement = isGone ? versionGone : judgeIn(known, one, target);
    const own = programs.get(keyOf(one.chat, one.chat.flowHash));
    impacts.push(impactOf(judgement, one.chat, (blockId) => groupOf(blockId, programs.get(target.key), own)));
  }
  return { kind: "replayed", until: from + impacts.length, impact: addImpacts(impacts) };
}

type Held = { readonly chat: HeldChat; readonly read: HeldSteps; readonly names: readonly ProgramName[] };

const versionGone: Judgement = { kind: "unknown", reason: "version_gone" };

function judgeIn(tools: ThreadTools, { chat, read }: Held, target: ProgramName): Judgement {
  return judge(runIn(tools), chat, read, {
    target,
    ownAt: versionsOf(chat, read.steps),
    groupIdOf: ({ key }, blockId) => tools.cache.get(key)?.places.get(blockId)?.group.id,
  });
}

function groupOf(blockId: string, ...programs: readonly (Program | undefined)[]): ProgramGroup | undefined {
  return programs.map((program) => program?.places.get(blockId)?.group).find((group) => group !== undefined);
}

/** One quota holds for all steps of a chat together. */
function runIn(tools: ThreadTools) {
  const meter = createMeter(conversationQuota);
  let walked: string[] = [];
  const watched: ThreadTools = { ...tools, watch: { block: (id) => void walked.push(id), edge: () => {} } };
  return (task: Parameters<typeof runTask>[1]) => {
    walked = [];
    const answer = runTask(watched, task, meter);
    return { answer, walked };
  };
}

/** Every flow that a chat ran with: its own versions, and the flows that it linked to. */
function programsOf(chat: HeldChat, { steps }: HeldSteps): ProgramName[] {
  const reports = steps.flatMap(({ inputs }) => inputs.reports ?? []);
  const linked = reports.flatMap((recorded) =>
    "report" in recorded && recorded.report.kind === "linkedFlow" ? (recorded.report.program ?? []) : [],
  );
  const own = [chat.flowHash, ...steps.flatMap(({ inputs }) => inputs.movedFrom ?? [])];
  return [...own.map((hash) => keyOf(chat, hash)), ...linked].map(nameOf);
}

/** The version of each step. A step that moved the chat names the version before it. */
export function versionsOf(chat: HeldChat, steps: readonly HeldStep[]): (index: number) => ProgramName {
  let hash = chat.flowHash;
  const hashes = steps.toReversed().map(({ inputs }) => {
    const here = hash;
    hash = inputs.movedFrom ?? hash;
    return here;
  });
  const inOrder = hashes.toReversed();
  return (index) => nameOf(keyOf(chat, inOrder[index] ?? chat.flowHash));
}

function keyOf({ botId }: HeldChat, flowHash: string): string {
  return `${botId}:${flowHash}`;
}

function nameOf(key: string): ProgramName {
  return { key, botId: key.slice(0, key.indexOf(":")) };
}
