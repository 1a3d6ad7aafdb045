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
  /** Milliseconds since the epoch, by the database's clock. */
  readonly now: number;
  /** When the step's question appears: times given to a visitor count from this moment. Absent: as `now`. */
  readonly askedAt?: number | undefined;
  /** 32 hexadecimal digits of secure randomness. */
  readonly seed: string;
  readonly isLive: boolean;
  readonly contentFormat: ContentFormat;
  /** Whether the client supports Parley's own nodes of rich text; clients of the reference product do not. */
  readonly readsGfm?: boolean | undefined;
  readonly contact?: ChatContact | undefined;
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  readonly runScript: RunScript;
  /** Only where the step has a quota. */
  readonly meter?: Meter | undefined;
  /** Only if the coverage of a flow is requested. */
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

/** An answer as lists and transcripts show it: its attachments first. */
export function answerText({ content, attachedFileUrls }: Pick<SavedAnswer, "content" | "attachedFileUrls">): string {
  return attachedFileUrls ? `${attachedFileUrls.join(", ")}\n\n${content}` : content;
}

/** The output of a step so far. It is kept across effects. */
export type StepRecord = BudgetLeft & {
  readonly messages: Message[];
  readonly actions: ClientAction[];
  readonly logs: StepLog[];
  readonly jobs: Job[];
  readonly answers: SavedAnswer[];
  readonly visitedEdgeIds: string[];
  /** Results of linked flows that ended in this step. */
  readonly endedResults: ResultUpdate[];
  /** Ids of results of linked flows that began in this step. Absent: none. */
  begunResults?: string[];
  input?: InputMessage;
  /** The flow waits for the client: for its report, or at a bubble that holds the visitor until the next request. */
  isPaused?: true;
  lastMessageNewFormat?: string;
  /** The start's message, until an input takes or refuses it. */
  startReply?: Reply;
  /** The visitor's client draws the answer that this step begins with while the answer arrives. */
  isStreamed?: true;
  /** The text of the answer that was drawn by the step's end. */
  streamedText?: string;
  /** Answers of models, each with its bubble's place among the messages. */
  modelAnswers?: { readonly at: number; readonly linkedResultId?: string; readonly unfinished?: Unfinished }[];
  /** A start that continues with an earlier result: its save may leave out of that what it sets. */
  isReturning?: true;
  /** The calls of the step: only to models, or also to others. Absent: none, or only to Parley's own data. */
  calls?: "models" | "others";
  /** The visit of an earlier step whose timer this step has ended. */
  endedVisit?: string;
  /** The block that is asked again in the same visit: after a refused reply, or as an event returns to it. */
  sameVisit?: string;
  /** The block that the visitor's client saw waiting, if this step does not answer a request of the client. */
  unseenAt?: string;
  /** The output that the client is shown before the step's own messages and actions: see `Unseen`. */
  repeated?: Pick<Unseen, "messages" | "actions">;
  scriptsRun: number;
  /** Only where the session is traced. */
  trace?: TraceRecord;
};

/** A running step: the only mutable value of the core. */
export type Step = {
  readonly context: StepContext;
  /** Finds every program that the session, or an effect of this step, names. */
  programOf(key: string): Program;
  readonly random: Random;
  readonly record: StepRecord;
  readonly reply: StepReply | null;
  readonly contact: ChatContact | undefined;
  /** The running flow first. */
  readonly frames: Frame[];
  blockId: string | undefined;
  totalAnswers: number;
  visitedEdges: number;
  progress: number;
  returnMark: ReturnMark | undefined;
  covered: CoveredMarks | undefined;
  /** A value that the last asked input stores for its reply. */
  kept: KeptOfInput | undefined;
  /** The time limit of the waiting block. */
  timer: Timer | undefined;
  /** The outcome of steps that the visitor's client was not shown. */
  unseen: Unseen | undefined;
  linked: SessionState["linked"];
  again: SessionState["again"];
  readonly hasKeptCalls: true | undefined;
  /** Seeds of undone steps: see `seeds.ts`. */
  seeds: readonly SeedOfQuestion[] | undefined;
  readonly isStreamEnabled: boolean;
  readonly models: ModelsUsed;
  textsInstead: readonly string[];
  /** The next block of the walk, if the walk must skip it: see `Produced`. */
  passedOver: string | undefined;
  /** The next block of the walk, if the walk pauses after it: see `Produced`. */
  streamedBubbleId: string | undefined;
  /** The view of the running flow, once a block has used it. */
  view: View | undefined;
  /** Ids of the last blocks walked, from which a loop is reported. */
  readonly trail: string[];
  /** Only where the session is traced. */
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

/** Opens a stored state. `programOf` must find every program that the state names. */
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

/** The state that the session stores. As text it contains only keys with a value: choosing them here costs a copy. */
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
    // This must be the last key: `awaitsReport` looks for it at the end.
    awaitsReport: step.record.streamedText === undefined ? undefined : true,
  };
}

export function currentFrame(step: Step): Frame {
  const frame = step.frames[0];
  if (!frame) throw new TypeError("A step without a flow");
  return frame;
}

/** Makes this input the open one, counting its size against the budget. */
export function ask(step: Step, { input, kept }: { readonly input: InputMessage; readonly kept?: unknown }): void {
  spendCharacters(step, estimateCharacters(input));
  step.record.input = input;
  if (kept !== undefined) step.kept = { blockId: input.id, value: kept };
}

/** The value that this input stored when it was asked; undefined once the input has taken a reply. */
export function keptOf({ kept }: Step, blockId: string): unknown {
  return kept?.blockId === blockId ? kept.value : undefined;
}

/** Adds the output of a block, counting its size against the budget. Actions name the preceding bubble. */
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

/** Whether a log is stored: of the logs that a text replaces a value, only the first of each block. */
function isNews(step: Step, { textInsteadAt }: StepLog): boolean {
  if (textInsteadAt === undefined) return true;
  const { textsInstead } = step;
  if (textsInstead.length >= limits.logs.textsInstead || textsInstead.includes(textInsteadAt)) return false;
  step.textsInstead = [...textsInstead, textInsteadAt];
  return true;
}

/** An error gets the failed block, and the reason. */
function withFailure(step: Step, log: StepLog): StepLog {
  if ((log.status ?? "error") !== "error") return log;
  const at = step.trail.at(-1) ?? step.blockId;
  return { ...log, reason: log.reason ?? "block", ...(at !== undefined && { blockId: at }) };
}

/** Records an edge off the default path. */
export function visitEdge(step: Step, edgeId: string): void {
  spendCharacters(step, estimateCharacters(edgeId));
  step.record.visitedEdgeIds.push(edgeId);
  step.visitedEdges++;
}

/** The id under which a jump, link or return is recorded, since the flow has no edge for it. */
export function virtualEdgeId({ groupId, blockId }: Target): string {
  return blockId === undefined ? `virtual-${groupId}` : `virtual-${groupId}-${blockId}`;
}

const preparedBlocks = new WeakMap<Program, Map<string, PreparedBlock>>();

/** The block with its stored fields read, once for each program; undefined for a type that is not served. */
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
