import { variables } from "./scripts.ts";
import {
  beginning,
  behind,
  type Change,
  filled,
  innermost,
  type ModelAnswer,
  newState,
  type Outside,
  type State,
  scriptOf,
  setVariable,
  timeOf,
  type Variables,
  type Walked,
  waitingBlock,
  waitingPart,
  walk,
} from "./walk.ts";

/** The cause of a step. */
export type Cause = "start" | "reply" | "refused" | "command" | "timeout" | "paid" | "called" | "waited" | "shown";

/** A step that was not undone, with its reply and the texts of the bot. */
export type StepModel = {
  readonly revision: number;
  readonly cause: Cause;
  readonly reply: string | null;
  readonly said: string[];
  /** The number of calls that the step made to the fake server. */
  readonly calls: number;
  /** The call from outside that the step consumed. */
  readonly called?: string;
  /** The block that waits after the step. */
  readonly asks: string | undefined;
  /** The answer that the step accepted, with the state before the answer. */
  readonly took?: {
    readonly answer: ModelAnswer;
    readonly before: State;
    readonly wasPaid: boolean;
    readonly isOwn: boolean;
  };
};

/**
 * A time, in milliseconds of the database's clock. The model only knows a range, because it only knows the act in which
 * a moment lies.
 */
export type Moment = { readonly earliest: number; readonly latest: number };

/** A visit to a part of the flow that waits. */
export type Visit = {
  readonly block: string;
  readonly since: Moment;
  readonly seconds: number | undefined;
  /** Whether the step that asked had to wait for calls first. */
  readonly isBehindCalls: boolean;
  /** The price of a payment, in cents. */
  readonly costs?: number;
};

/** A payment that a visit showed. `revision` is the first step that showed it. */
export type Shown = { readonly secret: string; readonly visit: Visit; readonly revision: number };

/**
 * A planned check whether a visit was paid, because the provider was unavailable when the visitor reported the payment.
 * Without a visit, the time is unknown.
 */
export type Check = { readonly visit: Visit | undefined; readonly at: number; readonly tries: number };

/** A visitor's chat so far. */
export type ChatModel = {
  readonly flow: string;
  state: State;
  /** The current steps, without undone steps. */
  steps: StepModel[];
  revision: number;
  visit: Visit | undefined;
  /**
   * Answers in the order in which they were acknowledged, including undone answers. `isOwn` tells whether an answer
   * belongs to the chat's own result.
   */
  readonly acknowledged: (ModelAnswer & { readonly isOwn: boolean })[];
  readonly shown: Shown[];
  /** Calls from outside that are stored until the chat reaches their block. */
  readonly early: { readonly order: string; readonly until: number }[];
  /** Set if the provider was unavailable when a payment was looked up, and will be called later. */
  check: Check | undefined;
  /** The texts of steps that the visitor's client has not read, and the block that waited before these steps. */
  unseen: { readonly block: string | undefined; readonly said: string[] } | undefined;
  /** Entries that the log must contain, and entries that it may contain. */
  readonly log: string[];
  readonly mayLog: string[];
  hasCompleted: boolean;
  /** The revision of the last step that went back, or 0 if the visitor has not gone back. */
  wentBackAt: number;
};

export function newChat(flow: string, edition: number, restored: Variables): ChatModel {
  return {
    ...{ flow, state: newState(flow, edition, restored), steps: [], revision: 0, visit: undefined, acknowledged: [] },
    ...{
      shown: [],
      early: [],
      check: undefined,
      unseen: undefined,
      log: [],
      mayLog: [],
      hasCompleted: false,
      wentBackAt: 0,
    },
  };
}

export function isOver({ state }: ChatModel): boolean {
  return state.at === null;
}

type Stepped = Pick<StepModel, "cause" | "reply"> & {
  readonly walked: Walked;
  readonly moment: Moment;
  readonly took?: StepModel["took"];
  /** Whether the current question belongs to the same visit as before. */
  readonly isSameVisit?: boolean;
  readonly called?: string;
};

function stepped(
  chat: ChatModel,
  { cause, reply, walked, moment, took, isSameVisit = false, called }: Stepped,
): StepModel {
  const asks = waitingBlock(chat.state);
  const step = {
    revision: ++chat.revision,
    cause,
    reply,
    said: walked.said,
    calls: walked.calls,
    asks,
    ...(took && { took }),
    ...(called && { called }),
  };
  chat.steps.push(step);
  if (took) chat.acknowledged.push({ ...took.answer, isOwn: took.isOwn });
  if (!isSameVisit) chat.visit = visitOf(chat.state, moment, walked);
  if (isOver(chat) && chat.state.answers.length > 0) chat.hasCompleted = true;
  for (let count = 0; count < walked.paymentsRefused; count++) chat.log.push("The payment could not be prepared");
  return step;
}

function visitOf(state: State, since: Moment, walked?: Walked): Visit | undefined {
  const [part, block] = [waitingPart(state), waitingBlock(state)];
  if (!part || block === undefined) return undefined;
  const costs = "pay" in part && { costs: Math.round(100 * Number(filled(part.pay, innermost(state)))) };
  const isBehindCalls =
    "pay" in part || (walked !== undefined && walked.calls + walked.models + walked.paymentsRefused > 0);
  return { block, since, seconds: timeOf(state)?.seconds, isBehindCalls, ...costs };
}

/** Functions that apply an event to a chat of the model. Most return the expected step. */
export const happens = {
  start(chat: ChatModel, outside: Outside, moment: () => Moment): StepModel {
    const walked = walk(chat.state, chat.state.at ?? undefined, outside);
    return stepped(chat, { cause: "start", reply: null, walked, moment: moment() });
  },

  /** Accepts a reply: the answer is stored, and the flow continues after the question, or at the chosen scene. */
  answer(
    chat: ChatModel,
    content: string,
    outside: Outside,
    moment: () => Moment,
    reply: string | null = content,
  ): StepModel {
    const { state } = chat;
    const [before, part, block] = [structuredClone(state), waitingPart(state), waitingBlock(state) ?? ""];
    const answer = { content, blockId: block };
    if (part && "ask" in part) setVariable(state, part.into, content);
    const isPaid = part !== undefined && "pay" in part;
    const to = part && "choose" in part ? beginning(part.choose[content] ?? "") : behind(state);
    const answers = ownAnswers(state);
    const isOwn = answers === state.answers;
    answers.push(answer);
    const walked = walk(state, to, outside);
    const took = { answer, before, wasPaid: isPaid, isOwn };
    return stepped(chat, { cause: reply === null ? "paid" : "reply", reply, walked, moment: moment(), took });
  },

  /** Rejects a reply: the refusal is shown, and the same visit continues. */
  refuse(chat: ChatModel, reply: string, sentence: string, moment: () => Moment): StepModel {
    const walked = { said: [sentence], calls: 0, models: 0, paymentsRefused: 0 };
    return stepped(chat, { cause: "refused", reply, walked, moment: moment(), isSameVisit: true });
  },

  command(chat: ChatModel, word: string, outside: Outside, moment: () => Moment): StepModel {
    const { state } = chat;
    const { to = "", resumes = false } = scriptOf(innermost(state).flow).commands?.[word] ?? {};
    const question = state.at ?? undefined;
    const walked = walk(state, beginning(to), outside, resumes ? question : undefined);
    return stepped(chat, { cause: "command", reply: null, walked, moment: moment(), isSameVisit: resumes });
  },

  /** Expires the timeout of the question, or ends a wait. */
  timeout(chat: ChatModel, outside: Outside, moment: () => Moment): StepModel {
    const { state } = chat;
    const part = waitingPart(state);
    const isWait = part !== undefined && "wait" in part;
    const walked = walk(state, isWait ? behind(state) : beginning(timeOf(state)?.late ?? ""), outside);
    return stepped(chat, { cause: isWait ? "waited" : "timeout", reply: null, walked, moment: moment() });
  },

  call(chat: ChatModel, order: string, outside: Outside, moment: () => Moment): StepModel {
    const { state } = chat;
    const part = waitingPart(state);
    if (part && "hear" in part) setVariable(state, part.hear, order);
    const walked = walk(state, behind(state), outside);
    return stepped(chat, { cause: "called", reply: null, walked, moment: moment(), called: order });
  },

  /** Undoes the last answer, with all later steps. Returns undefined if there is no answer, or if it was a payment. */
  goBack(chat: ChatModel, moment: () => Moment): { readonly taken: number; readonly reply: string | null } | undefined {
    const found = takenBack(chat);
    if (!found || found.took.wasPaid) return undefined;
    const { step, took, first } = found;
    const taken = chat.steps.length - first - 1;
    // The undone calls from outside are stored for the chat again, without a time limit.
    const kept = chat.steps.slice(first + 1).flatMap(({ called }) => called ?? []);
    chat.early.unshift(...kept.map((order) => ({ order, until: Number.POSITIVE_INFINITY })));
    chat.steps = chat.steps.slice(0, first + 1);
    const { state } = chat;
    chat.state = structuredClone(took.before);
    chat.state.changes = [...state.changes, ...changesBack(resultVariables(state), resultVariables(chat.state))];
    chat.unseen = undefined;
    chat.wentBackAt = ++chat.revision;
    chat.visit = visitOf(chat.state, moment());
    return { taken, reply: step.reply };
  },
};

function changesBack(had: Variables, has: Variables): Change[] {
  const names = variables.filter((name) => had[name] !== has[name]);
  return names.map((name) => ({ name, value: has[name], takenBack: { had: had[name] } }));
}

/**
 * Returns the answer that going back would undo, and the index of the last step that would remain. Returns undefined if
 * there is no answer.
 */
function takenBack({ steps }: ChatModel) {
  const index = steps.findLastIndex(({ took }) => took !== undefined);
  const step = steps[index];
  if (!step?.took) return undefined;
  let first = index - 1;
  while (steps[first]?.cause === "refused") first--;
  return { step, took: step.took, first };
}

/** Returns the payments that were shown after the step to which going back would return. */
export function shownSinceAnswer(chat: ChatModel): Shown[] {
  const found = takenBack(chat);
  const last = found ? (chat.steps[found.first]?.revision ?? 0) : Number.POSITIVE_INFINITY;
  return chat.shown.filter(({ revision }) => revision > last);
}

/** Returns the answers of the innermost flow's result. */
export function ownAnswers(state: State): ModelAnswer[] {
  const own = state.frames.findLast(({ isMerging, child }) => child !== undefined || !isMerging);
  return own?.child === undefined ? state.answers : (state.children[own.child]?.answers ?? []);
}

/** Returns the variables of a chat's own result, including the variables of running merged flows. */
export function resultVariables(state: State): Variables {
  const merged: Variables = {};
  for (const frame of state.frames) {
    if (frame !== state.frames[0] && !frame.isMerging) break;
    Object.assign(merged, frame.variables);
  }
  return merged;
}

/** Returns whether the waiting part accepts a call. */
export function hearsNow({ state }: ChatModel): boolean {
  const part = waitingPart(state);
  return part !== undefined && "hear" in part;
}

/** Returns whether the visit may have timed out, and whether it must have timed out. */
export function timeIn({ visit }: ChatModel, now: number): { readonly mayBeOver: boolean; readonly isOver: boolean } {
  if (visit?.seconds === undefined) return { mayBeOver: false, isOver: false };
  const length = 1_000 * visit.seconds;
  return { mayBeOver: now >= visit.since.earliest + length, isOver: now > visit.since.latest + length };
}
