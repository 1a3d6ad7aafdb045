import { limits } from "../limits.ts";
import type { BlockDefinition, PreparedBlock } from "./block.ts";
import { type BudgetLeft, spendCharacters } from "./budget.ts";
import type { FlowBlock } from "./flow.ts";
import type { Job } from "./job.ts";
import type { Meter } from "./meter.ts";
import type { ClientAction, InputMessage, Message, Produced, StepLog } from "./outcome.ts";
import type { Program, Target } from "./program.ts";
import { createRandom, type Random } from "./random.ts";
import type { RunScript } from "./script.ts";
import type { FrameState, Hop, Reply, ReturnMark, SessionState } from "./state.ts";
import { stateFormat } from "./state.ts";
import { createVariables, type FilledVariable, type Variables } from "./variables.ts";
import type { ContentFormat } from "./view.ts";
import { weightOf } from "./weight.ts";

/** What a step is given from outside: time, chance, and what belongs to the chat rather than to the flow. */
export type StepContext = {
  /** Milliseconds since the epoch, by the database's clock. */
  readonly now: number;
  /** 32 hexadecimal digits of secure randomness. */
  readonly seed: string;
  readonly isLive: boolean;
  readonly contentFormat: ContentFormat;
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  readonly runScript: RunScript;
  /** Where a step may spend less than its budget. */
  readonly meter?: Meter;
};

/** One running flow. */
export type Frame = {
  readonly program: Program;
  readonly variables: Variables;
  readonly resultId: string | null;
  readonly sessionVariableIds: Set<string>;
  answers: Map<string, string>;
  queuedHops: Hop[];
  resumeAt: NonNullable<FrameState["resumeAt"]>;
  readonly isMerging: boolean;
};

export type SavedAnswer = {
  readonly resultId: string | null;
  readonly botId: string;
  readonly blockId: string;
  readonly groupId: string;
  readonly variableId: string | null;
  readonly content: string;
  readonly attachedFileUrls: readonly string[] | null;
};

/** An answer as lists and transcripts show it: files that came with it first. */
export function answerText({ content, attachedFileUrls }: Pick<SavedAnswer, "content" | "attachedFileUrls">): string {
  return attachedFileUrls ? `${attachedFileUrls.join(", ")}\n\n${content}` : content;
}

/** How a result stands after the step. `isCompleted` never goes back. */
export type ResultUpdate = {
  readonly resultId: string;
  readonly botId: string;
  readonly variables: readonly FilledVariable[];
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
};

/** What a step has brought forth so far: goes through an effect and back. */
export type StepRecord = BudgetLeft & {
  readonly messages: Message[];
  readonly actions: ClientAction[];
  readonly logs: StepLog[];
  readonly jobs: Job[];
  readonly answers: SavedAnswer[];
  readonly visitedEdgeIds: string[];
  /** Results of linked flows that ended in this step. */
  readonly endedResults: ResultUpdate[];
  input?: InputMessage;
  /** The flow waits for the visitor's client: for its report, or for the call that goes on behind an embed. */
  isPaused?: true;
  lastMessageNewFormat?: string;
  /** A message sent with the start, until it is known whether an input takes it. */
  startReply?: Reply;
  scriptsRun: number;
};

/** A step under way: the only thing in the core that changes while it runs. */
export type Step = {
  readonly context: StepContext;
  /** Every program that the session, or an effect of this step, has named. */
  programOf(key: string): Program;
  readonly random: Random;
  readonly record: StepRecord;
  readonly reply: Reply | null;
  /** The running flow first. */
  readonly frames: Frame[];
  blockId: string | undefined;
  totalAnswers: number;
  visitedEdges: number;
  progress: number;
  returnMark: ReturnMark | undefined;
  readonly isStreamEnabled: boolean;
  /** The last blocks walked, to name a loop. */
  readonly trail: string[];
};

export function newRecord(): StepRecord {
  return {
    messages: [],
    actions: [],
    logs: [],
    jobs: [],
    answers: [],
    visitedEdgeIds: [],
    endedResults: [],
    blocksLeft: limits.step.blocks,
    effectsLeft: limits.step.effects,
    ticksLeft: limits.step.allScriptsTicks,
    charactersLeft: limits.step.characters,
    scriptsRun: 0,
  };
}

/** Opens a stored state. `programOf` must know every program that the state names. */
export function openStep(
  context: StepContext,
  state: SessionState,
  options: {
    programOf(key: string): Program;
    reply: Reply | null;
    record?: StepRecord;
    drawn?: number;
    trail?: readonly string[];
  },
): Step {
  const record = options.record ?? newRecord();
  return {
    context,
    programOf: options.programOf,
    random: createRandom(context.seed, options.drawn),
    record,
    reply: options.reply,
    frames: state.queue.map((frame) => openFrame(options.programOf(frame.program), frame)),
    blockId: state.blockId,
    totalAnswers: state.totalAnswers,
    visitedEdges: state.visitedEdges,
    progress: state.progress,
    returnMark: state.returnMark,
    isStreamEnabled: state.isStreamEnabled,
    trail: [...(options.trail ?? [])],
  };
}

/** The state that the session keeps. */
export function closeStep(step: Step): SessionState {
  return {
    format: stateFormat,
    queue: step.frames.map(closeFrame),
    ...(step.blockId !== undefined && { blockId: step.blockId }),
    visitedEdges: step.visitedEdges,
    totalAnswers: step.totalAnswers,
    progress: step.progress,
    ...(step.returnMark && { returnMark: step.returnMark }),
    isStreamEnabled: step.isStreamEnabled,
  };
}

/** The running flow. */
export function head(step: Step): Frame {
  const [frame] = step.frames;
  if (!frame) throw new TypeError("A step without a flow");
  return frame;
}

/** Shows an input, once it is paid for. */
export function ask(step: Step, input: InputMessage): void {
  spendCharacters(step, weightOf(input));
  step.record.input = input;
}

/** Adds what a block leaves behind; actions are stamped with the last bubble shown. */
export function produce(step: Step, produced: Produced): void {
  const { record } = step;
  const { messages, logs, jobs, actions } = produced;
  spendCharacters(step, weightOf([messages, logs, jobs, actions]));
  for (const message of messages ?? []) record.messages.push(message);
  for (const log of logs ?? []) record.logs.push(log);
  for (const job of jobs ?? []) record.jobs.push(job);
  const lastBubble = record.messages.at(-1);
  for (const action of actions ?? []) {
    record.actions.push(lastBubble ? { ...action, lastBubbleBlockId: lastBubble.id } : action);
  }
  const frame = head(step);
  if (produced.writes) frame.variables.write(produced.writes);
  for (const id of produced.sessionVariableIds ?? []) frame.sessionVariableIds.add(id);
}

/** Records an edge off the default path. */
export function visitEdge(step: Step, edgeId: string): void {
  spendCharacters(step, weightOf(edgeId));
  step.record.visitedEdgeIds.push(edgeId);
  step.visitedEdges++;
}

/** How a way that no edge of the flow stands for is recorded. */
export function virtualEdgeId({ groupId, blockId }: Target): string {
  return blockId === undefined ? `virtual-${groupId}` : `virtual-${groupId}-${blockId}`;
}

/** Blocks whose stored parts were read: once per program, however many steps run them. */
const preparedBlocks = new WeakMap<Program, Map<string, PreparedBlock>>();

/** The block with its stored parts read, or undefined for a type that this release does not know. */
export function prepare(step: Step, program: Program, block: FlowBlock): PreparedBlock | undefined {
  let ofProgram = preparedBlocks.get(program);
  if (!ofProgram) {
    ofProgram = new Map();
    preparedBlocks.set(program, ofProgram);
  }
  const kept = ofProgram.get(block.id);
  if (kept) return kept;
  const prepared = step.context.blocks.get(block.type)?.prepare(block);
  if (prepared) ofProgram.set(block.id, prepared);
  return prepared;
}

function openFrame(program: Program, frame: FrameState): Frame {
  return {
    program,
    variables: createVariables(program, frame.written),
    resultId: frame.resultId,
    sessionVariableIds: new Set(frame.sessionVariableIds ?? []),
    answers: new Map(frame.answers),
    queuedHops: [...frame.queuedHops],
    resumeAt: frame.resumeAt ?? [],
    isMerging: frame.isMerging,
  };
}

function closeFrame(frame: Frame): FrameState {
  return {
    program: frame.program.key,
    botId: frame.program.botId,
    resultId: frame.resultId,
    written: frame.variables.entries(),
    ...(frame.sessionVariableIds.size > 0 && { sessionVariableIds: [...frame.sessionVariableIds] }),
    answers: [...frame.answers],
    queuedHops: frame.queuedHops,
    ...(frame.resumeAt.length > 0 && { resumeAt: frame.resumeAt }),
    isMerging: frame.isMerging,
  };
}
