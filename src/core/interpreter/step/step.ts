import { limits } from "../../../limits/index.ts";
import type { FlowBlock } from "../flow.ts";
import { estimateCharacters } from "../language/estimate-characters.ts";
import { createRandom, type Random } from "../language/random.ts";
import type { RunScript } from "../language/script.ts";
import type { Meter, WalkWatch } from "../meter.ts";
import type { BlockDefinition, PreparedBlock } from "../program/block.ts";
import type { ChatContact } from "../program/contact.ts";
import type { Job } from "../program/job.ts";
import { closeModelsUsed, type ModelsUsed, openModelsUsed } from "../program/model-budget.ts";
import {
  type ClientAction,
  type InputMessage,
  type Message,
  type Produced,
  type StepLog,
  type Unfinished,
  withSecretsNamed,
} from "../program/outcome.ts";
import type { Program, Target } from "../program/program.ts";
import type {
  CoveredMarks,
  FrameState,
  Hop,
  KeptOfInput,
  Reply,
  ReturnMark,
  SeedOfQuestion,
  SessionState,
  StepReply,
  Timer,
  Unseen,
} from "../program/state.ts";
import { formatOf } from "../program/state.ts";
import { createTrace, type Trace, type TraceRecord } from "../program/trace.ts";
import { createVariables, type Variables } from "../program/variables.ts";
import type { ContentFormat, View } from "../program/view.ts";
import { type BudgetLeft, spendCharacters } from "./budget.ts";
import { linkedPlace, type ResultUpdate } from "./result-update.ts";
import { nextSeedOf } from "./seeds.ts";

/** The external inputs of a step. */
export type StepContext = {
  /** The time in milliseconds since the epoch, by the database's clock. */
  readonly now: number;
  /** The time at which the step's input is shown and from which its time limit counts. Defaults to `now`. */
  readonly askedAt?: number | undefined;
  /** A seed of 32 hexadecimal digits from a secure random source. */
  readonly seed: string;
  readonly isLive: boolean;
  readonly contentFormat: ContentFormat;
  /** Whether the client supports Parley's own rich text nodes, unlike clients of the reference product. */
  readonly readsGfm?: boolean | undefined;
  readonly contact?: ChatContact | undefined;
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  readonly runScript: RunScript;
  /** Present only if the step has a quota. */
  readonly meter?: Meter | undefined;
  /** Present in tests and replays of a flow, and in traced sessions. */
  readonly watch?: WalkWatch | undefined;
};

/** A running flow: see `FrameState`. */
export type Frame = {
  readonly program: Program;
  readonly variables: Variables;
  readonly resultId: string | null;
  sessionVariableIds: ReadonlySet<string>;
  answers: Map<string, string>;
  queuedHops: readonly Hop[];
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

/** Returns an answer as displayed in lists and transcripts, with its attachments first. */
export function answerText({ content, attachedFileUrls }: Pick<SavedAnswer, "content" | "attachedFileUrls">): string {
  return attachedFileUrls ? `${attachedFileUrls.join(", ")}\n\n${content}` : content;
}

/** The output of a step so far, which is preserved across effects. */
export type StepRecord = BudgetLeft & {
  readonly messages: Message[];
  readonly actions: ClientAction[];
  readonly logs: StepLog[];
  readonly jobs: Job[];
  readonly answers: SavedAnswer[];
  readonly visitedEdgeIds: string[];
  /** Results of linked flows that ended in this step. */
  readonly endedResults: ResultUpdate[];
  /** The ids of results of linked flows that started in this step. Absent if there are none. */
  begunResults?: string[];
  input?: InputMessage;
  /** Whether the chat waits at a block that is not an input. */
  isPaused?: true;
  lastMessageNewFormat?: string;
  /** The message of the start, until the first walk stops. */
  startReply?: Reply;
  /** Whether this step starts with an answer that the visitor's client renders while it is streamed. */
  isStreamed?: true;
  /** The text of the answer that the client had rendered at the end of the step. */
  streamedText?: string;
  /** Answers of models. `at` is the index of the answer's bubble in the messages. */
  modelAnswers?: { readonly at: number; readonly linkedResultId?: string; readonly unfinished?: Unfinished }[];
  /** Set for a start that continues an earlier result. The saved result may lack variables that the start sets. */
  isReturning?: true;
  /** `models`: the step called only models. `others`: it called other services. Absent if it called neither. */
  calls?: "models" | "others";
  /** The visit that an earlier step started and whose timer this step has ended. */
  endedVisit?: string;
  /** The block whose visit continues if the block is shown again, for example after a rejected reply. */
  sameVisit?: string;
  /** The block that the client saw waiting before this step. Absent if the client requested this step. */
  unseenAt?: string;
  /** The output of earlier steps that the client receives before the step's own messages and actions: see `Unseen`. */
  repeated?: Pick<Unseen, "messages" | "actions">;
  scriptsRun: number;
  /** Present only if the session is traced. */
  trace?: TraceRecord;
};

/** A running step, which the functions of this folder modify. */
export type Step = {
  readonly context: StepContext;
  /** Returns a program by its key, for every program that the session or an effect of this step refers to. */
  programOf(key: string): Program;
  readonly random: Random;
  readonly record: StepRecord;
  readonly reply: StepReply | null;
  readonly contact: ChatContact | undefined;
  /** The running flow, followed by its parent flows. */
  readonly frames: Frame[];
  blockId: string | undefined;
  totalAnswers: number;
  visitedEdges: number;
  progress: number;
  returnMark: ReturnMark | undefined;
  covered: CoveredMarks | undefined;
  /** The value that an input stored for its reply. */
  kept: KeptOfInput | undefined;
  timer: Timer | undefined;
  /** Output of earlier steps that the visitor's client has not received. */
  unseen: Unseen | undefined;
  linked: SessionState["linked"];
  again: SessionState["again"];
  readonly hasKeptCalls: true | undefined;
  /** The seeds of undone steps: see `seeds.ts`. */
  seeds: readonly SeedOfQuestion[] | undefined;
  readonly isStreamEnabled: boolean;
  readonly models: ModelsUsed;
  textsInstead: readonly string[];
  /** The next block of the walk if the walk must skip it: see `Produced`. */
  passedOver: string | undefined;
  /** The next block of the walk if the walk pauses after it: see `Produced`. */
  streamedBubbleId: string | undefined;
  /** The view of the running flow, created when a block first uses it. */
  view: View | undefined;
  /** The ids of the most recently run blocks, used to report a loop. */
  readonly trail: string[];
  /** Present only if the session is traced. */
  readonly trace?: Trace;
};

function newRecord(): StepRecord {
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

/** Opens a stored state. `programOf` must return a program for every key in the state. */
export function openStep(
  context: StepContext,
  state: SessionState,
  options: {
    programOf(key: string): Program;
    reply: StepReply | null;
    record?: StepRecord;
    drawn?: number;
    trail?: readonly string[];
  },
): Step {
  const record = options.record ?? newRecord();
  const step: Step = {
    context,
    programOf: options.programOf,
    random: createRandom(context.seed, options.drawn),
    record,
    reply: options.reply,
    contact: context.contact ?? state.contact,
    frames: state.queue.map((frame) => openFrame(options.programOf(frame.program), frame)),
    blockId: state.blockId,
    totalAnswers: state.totalAnswers,
    visitedEdges: state.visitedEdges,
    progress: state.progress,
    returnMark: state.returnMark,
    covered: state.covered,
    kept: state.kept,
    timer: state.timer,
    unseen: state.unseen,
    linked: state.linked,
    again: state.again,
    hasKeptCalls: state.hasKeptCalls,
    seeds: state.seeds,
    isStreamEnabled: state.isStreamEnabled,
    models: openModelsUsed(state),
    textsInstead: state.textsInstead ?? none,
    passedOver: undefined,
    streamedBubbleId: undefined,
    view: undefined,
    trail: options.trail ? [...options.trail] : [],
  };
  return state.isTraced ? traced(step) : step;
}

function traced(step: Step): Step {
  step.record.trace ??= { entries: [], characters: 0 };
  const trace = createTrace(step, step.record.trace, step.context.watch);
  return { ...step, context: { ...step.context, watch: trace }, trace };
}

/** Returns the state to store. Keys without a value are undefined, because removing keys would require a copy. */
export function closeStep(step: Step): SessionState {
  return {
    format: formatOf(step.contact),
    contact: step.contact,
    queue: step.frames.map(closeFrame),
    blockId: step.blockId,
    visitedEdges: step.visitedEdges,
    totalAnswers: step.totalAnswers,
    progress: step.progress,
    returnMark: step.returnMark,
    covered: step.covered,
    kept: step.kept,
    timer: step.timer,
    unseen: step.unseen,
    linked: step.linked,
    again: step.again,
    isStreamEnabled: step.isStreamEnabled,
    models: closeModelsUsed(step.models),
    textsInstead: step.textsInstead.length > 0 ? step.textsInstead : undefined,
    isTraced: step.trace && true,
    hasKeptCalls: step.hasKeptCalls,
    seeds: step.seeds,
    nextSeed: step.seeds && nextSeedOf(step.seeds, step.record.input),
    // `awaitsReport` must be the last key because the function `awaitsReport` checks the end of the text.
    awaitsReport: step.record.streamedText === undefined ? undefined : true,
  };
}

export function currentFrame(step: Step): Frame {
  const frame = step.frames[0];
  if (!frame) throw new TypeError("A step without a flow");
  return frame;
}

/** Shows an input, stores its data for the reply, and counts the input's size against the budget. */
export function ask(step: Step, { input, kept }: { readonly input: InputMessage; readonly kept?: unknown }): void {
  spendCharacters(step, estimateCharacters(input));
  step.record.input = input;
  if (kept !== undefined) step.kept = { blockId: input.id, value: kept };
}

/** Returns the value that the input with this id stored for its reply, if any. */
export function keptOf({ kept }: Step, blockId: string): unknown {
  return kept?.blockId === blockId ? kept.value : undefined;
}

/** Adds the output of a block and counts its size against the budget. Actions refer to the preceding bubble. */
export function produce(step: Step, produced: Produced): void {
  const { record } = step;
  const { messages, logs, jobs, actions, writes, sessionVariableIds, streamed } = produced;
  spendCharacters(
    step,
    3 +
      estimateCharacters(messages) +
      estimateCharacters(logs) +
      estimateCharacters(jobs) +
      estimateCharacters(actions),
  );
  if (messages) for (const message of messages) record.messages.push(message);
  if (logs) for (const log of logs) if (isNews(step, log)) record.logs.push(withFailure(step, withSecretsNamed(log)));
  if (jobs) for (const job of jobs) record.jobs.push(job);
  if (actions) {
    const lastBubble = record.messages.at(-1);
    for (const action of actions) {
      record.actions.push(lastBubble ? { ...action, lastBubbleBlockId: lastBubble.id } : action);
    }
  }
  step.passedOver = produced.passedOver;
  step.streamedBubbleId = streamed?.bubbleId;
  if (streamed) record.streamedText = streamed.text;
  if (produced.answer) {
    record.modelAnswers ??= [];
    record.modelAnswers.push({ at: record.messages.length, ...linkedPlace(step.frames), ...produced.answer });
  }
  if (writes) currentFrame(step).variables.write(writes);
  if (sessionVariableIds) {
    const frame = currentFrame(step);
    frame.sessionVariableIds = new Set([...frame.sessionVariableIds, ...sessionVariableIds]);
  }
}

const none: readonly string[] = [];

/** Whether a log entry is stored. Entries with `textInsteadAt` are stored once per block, up to a limit. */
function isNews(step: Step, { textInsteadAt }: StepLog): boolean {
  if (textInsteadAt === undefined) return true;
  const { textsInstead } = step;
  if (textsInstead.length >= limits.logs.textsInstead || textsInstead.includes(textInsteadAt)) return false;
  step.textsInstead = [...textsInstead, textInsteadAt];
  return true;
}

/** Adds the failed block and the reason to an error. */
function withFailure(step: Step, log: StepLog): StepLog {
  if ((log.status ?? "error") !== "error") return log;
  const at = step.trail.at(-1) ?? step.blockId;
  return { ...log, reason: log.reason ?? "block", ...(at !== undefined && { blockId: at }) };
}

/** Records an edge that is not on the default path. */
export function visitEdge(step: Step, edgeId: string): void {
  spendCharacters(step, estimateCharacters(edgeId));
  step.record.visitedEdgeIds.push(edgeId);
  step.visitedEdges++;
}

/** Returns the id under which a jump, link or return is recorded, because the flow has no edge for it. */
export function virtualEdgeId({ groupId, blockId }: Target): string {
  return blockId === undefined ? `virtual-${groupId}` : `virtual-${groupId}-${blockId}`;
}

const preparedBlocks = new WeakMap<Program, Map<string, PreparedBlock>>();

/** Returns a block with its parsed fields, which are cached per program. Returns undefined for an unsupported type. */
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

const noIds: ReadonlySet<string> = new Set();

function openFrame(program: Program, frame: FrameState): Frame {
  return {
    program,
    variables: createVariables(program, frame.written, frame.set),
    resultId: frame.resultId,
    sessionVariableIds: frame.sessionVariableIds ? new Set(frame.sessionVariableIds) : noIds,
    answers: new Map(frame.answers),
    queuedHops: frame.queuedHops,
    resumeAt: frame.resumeAt ?? [],
    isMerging: frame.isMerging,
  };
}

function closeFrame(frame: Frame): FrameState {
  const { program, sessionVariableIds, resumeAt } = frame;
  const answers: [string, string][] = [];
  for (const answer of frame.answers) answers.push(answer);
  return {
    program: program.key,
    botId: program.botId,
    resultId: frame.resultId,
    written: frame.variables.entries(),
    sessionVariableIds: sessionVariableIds.size > 0 ? [...sessionVariableIds] : undefined,
    answers,
    queuedHops: frame.queuedHops,
    resumeAt: resumeAt.length > 0 ? resumeAt : undefined,
    isMerging: frame.isMerging,
  };
}
