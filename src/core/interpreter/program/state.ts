import type { Value } from "../language/values.ts";
import type { ChatContact } from "./contact.ts";

/** The newest format that this release reads. It also reads every earlier format. */
export const stateFormat = 2;

/** The format of a state: chats of messengers have a newer format, which releases without messengers do not touch. */
export function formatOf(contact: ChatContact | undefined): SessionState["format"] {
  return contact === undefined ? 1 : 2;
}

/** All data that a session needs to continue beside its flow, as plain JSON. */
export type SessionState = {
  readonly format: 1 | 2;
  /** The contact of the messenger chat, at the last step that named the contact. Absent on the web. */
  readonly contact?: ChatContact | undefined;
  /** The running flow first, then its parents. Never empty. */
  readonly queue: readonly FrameState[];
  /** The input or paused block that waits. Absent until the first stop. */
  readonly blockId?: string | undefined;
  /** Edges off the default path so far. */
  readonly visitedEdges: number;
  readonly totalAnswers: number;
  readonly progress: number;
  readonly returnMark?: ReturnMark | undefined;
  /** The marks that are restored when `returnMark` was used. Absent until an event finds a mark. */
  readonly covered?: CoveredMarks | undefined;
  readonly isStreamEnabled: boolean;
  /** The session's use of models so far. Absent until the first call. */
  readonly models?: { readonly calls: number; readonly tokens: number; readonly isTold?: boolean } | undefined;
  /** Blocks whose log says that a text replaced a value. Absent until the first. */
  readonly textsInstead?: readonly string[] | undefined;
  /** A value that the waiting input stores for its reply. Absent: none. */
  readonly kept?: KeptOfInput | undefined;
  /** The remaining time of the waiting block. Absent if it waits forever. */
  readonly timer?: Timer | undefined;
  /** The outcome of steps that the visitor's client was not shown. Absent: the client was shown every step. */
  readonly unseen?: Unseen | undefined;
  /**
   * The links entered so far whose results are not merged, the last twenty. Absent: none, or visitors cannot go back.
   */
  readonly linked?: readonly LinkedResult[] | undefined;
  /**
   * Results of links that the visitor has undone by going back: their next entries write these results. Absent: none.
   */
  readonly again?: readonly LinkedResult[] | undefined;
  /** Each step records its moves: see `trace.ts`. Only for previews. */
  readonly isTraced?: true | undefined;
  /**
   * External calls that were kept when the visitor went back wait for their blocks, in rows of their own. Never unset.
   */
  readonly hasKeptCalls?: true | undefined;
  /** The seeds of undone steps, the last step's first. Absent: none. */
  readonly seeds?: readonly SeedOfQuestion[] | undefined;
  /** The seed for the next reply to the open input. */
  readonly nextSeed?: string | undefined;
  /** The visitor's client has drawn an answer, and must report it: see `awaitsReport`. */
  readonly awaitsReport?: true | undefined;
};

/** The result of the bot that a link block leads to. */
export type LinkedResult = readonly [blockId: string, botId: string, resultId: string];

/**
 * The seed of an undone step, and the input that the step answered; `notAsking` if the step began at a block that asks
 * nothing.
 */
export type SeedOfQuestion = readonly [blockId: string, seed: string];
export const notAsking = "";

/** The time limit of a visit of a block: an input without an answer, or a wait. */
export type Timer = {
  readonly kind: "timeout" | "wait";
  /** Unique among the visits of the session. */
  readonly visit: string;
  readonly blockId: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly due: number;
};

/** The outcome of steps that no request of the visitor's client took. */
export type Unseen = {
  /** The block that the client saw waiting. */
  readonly blockId: string;
  readonly messages: readonly { readonly id: string; readonly type: string; readonly content: unknown }[];
  readonly actions: readonly { readonly type: string; readonly [payload: string]: unknown }[];
  /** The question that is open at present. */
  readonly input?: { readonly id: string; readonly type: string; readonly [key: string]: unknown };
};

/** The part of the chat that the sender of a reply has seen. Absent: the whole chat. */
export type Sender =
  /** A visitor's client that has only seen the steps of its own requests. */
  | "unaware"
  /** Another program. */
  | "other";

/**
 * Whether a state, as JSON text, awaits the report of a drawn answer. The mark is the last key, so that no caller has
 * to parse the state.
 */
export function awaitsReport(state: string): boolean {
  return state.endsWith('"awaitsReport":true}');
}

/** Data of an input that is asked: it lasts until the input has taken a reply. */
export type KeptOfInput = { readonly blockId: string; readonly value: unknown };

/** An id, a value, and a name where the flow does not have that id. */
export type WrittenVariable = readonly [id: string, value: Value] | readonly [id: string, value: Value, name: string];

/** A running flow. */
export type FrameState = {
  readonly program: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** Variables written so far, in the order of writing. */
  readonly written: readonly WrittenVariable[];
  /** Ids of written variables that the save of this state may have left out of the result. Absent: none. */
  readonly set?: readonly string[] | undefined;
  /** Variables that became session variables during the chat. */
  readonly sessionVariableIds?: readonly string[] | undefined;
  readonly answers: readonly (readonly [key: string, value: string])[];
  /** Where the parent flow continues when this one has ended. */
  readonly queuedHops: readonly Hop[];
  /**
   * Blocks that commands interrupted, the last first. The flow resumes at the first of these when the command's path
   * has ended.
   */
  readonly resumeAt?: readonly { readonly groupId: string; readonly blockId: string }[] | undefined;
  readonly isMerging: boolean;
};

/** The path to the next block: an edge of the flow, or directly a group or block (from jumps, links and returns). */
export type Hop = { readonly edgeId: string } | { readonly groupId: string; readonly blockId?: string };

/** The target of a `Return` block. `reply` is applied once the walk has returned to its input. */
export type ReturnMark = { readonly status: "pending" | "called"; readonly blockId: string; readonly reply?: Reply };

/**
 * The marks below the mark that the next `Return` block uses, the oldest first. `isCut`: earlier marks were dropped,
 * which the log notes.
 */
export type CoveredMarks = { readonly marks: readonly ReturnMark[]; readonly isCut?: true };

/**
 * The input that continues a waiting chat: a visitor's message, or a report of the service, which no client can send.
 */
export type Reply = VisitorReply | PaymentReply;

/** The provider reports that this payment was made. */
export type PaymentReply = { readonly type: "payment"; readonly paymentId: string };
/** The input that continues a chat without its visitor: the block's time is over. No client can send it. */
export type DueReply = { readonly type: "timeout" } | { readonly type: "wait" };

/** A visitor's message. `strangeFileUrls` are its addresses of files of other chats: no input accepts them. */
export type VisitorReply =
  | {
      readonly type: "text";
      readonly text: string;
      readonly replyId?: string;
      readonly attachedFileUrls?: readonly string[];
      readonly strangeFileUrls?: readonly string[];
    }
  | { readonly type: "audio"; readonly url: string; readonly strangeFileUrls?: readonly string[] }
  | { readonly type: "command"; readonly command: string };

/** Words of a visitor, or items chosen. */
export type TextReply = Extract<VisitorReply, { readonly type: "text" }>;

/** The reply that a step begins with. */
export type StepReply = Reply | DueReply;
