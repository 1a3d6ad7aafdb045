import type { Value } from "../language/values.ts";
import type { ChatContact } from "./contact.ts";

/** The newest state format that this release reads. All earlier formats are also supported. */
export const stateFormat = 2;

/**
 * Returns the format of a state. Messenger chats use a newer format, so that releases without messenger support leave
 * them untouched.
 */
export function formatOf(contact: ChatContact | undefined): SessionState["format"] {
  return contact === undefined ? 1 : 2;
}

/** All data, apart from the flow, that a session needs to continue, as plain JSON. */
export type SessionState = {
  readonly format: 1 | 2;
  /** The contact of a messenger chat, as of the last step that included the contact. Absent on the web. */
  readonly contact?: ChatContact | undefined;
  /** The running flow, followed by its parent flows. Never empty. */
  readonly queue: readonly FrameState[];
  /** The input or paused block at which the chat last stopped. Absent until the chat stops for the first time. */
  readonly blockId?: string | undefined;
  /** The number of edges followed so far that are not on the default path. */
  readonly visitedEdges: number;
  readonly totalAnswers: number;
  readonly progress: number;
  readonly returnMark?: ReturnMark | undefined;
  /** The marks that are restored once `returnMark` has been used. Absent if there are none and none was dropped. */
  readonly covered?: CoveredMarks | undefined;
  readonly isStreamEnabled: boolean;
  /** The session's use of models so far. Absent until the first call. */
  readonly models?: { readonly calls: number; readonly tokens: number; readonly isTold?: boolean } | undefined;
  /** Blocks for which an entry with `textInsteadAt` has already been logged. Absent if there are none. */
  readonly textsInstead?: readonly string[] | undefined;
  /** The value that an input stored for its reply. Absent if there is none. */
  readonly kept?: KeptOfInput | undefined;
  /** The time limit of the waiting block. Absent if the block waits indefinitely. */
  readonly timer?: Timer | undefined;
  /**
   * Output of earlier steps that the visitor's client has not received. Absent if the client has received all output.
   */
  readonly unseen?: Unseen | undefined;
  /**
   * The last twenty entered links whose results are not merged. Absent if there are none, or if visitors cannot go
   * back.
   */
  readonly linked?: readonly LinkedResult[] | undefined;
  /**
   * Results of links that the visitor has undone by going back. If such a link is entered again, the same result is
   * written. Absent if there are none.
   */
  readonly again?: readonly LinkedResult[] | undefined;
  /** Whether each step records its moves: see `trace.ts`. Set only in previews. */
  readonly isTraced?: true | undefined;
  /**
   * Whether external calls were kept when the visitor went back. The calls are stored in separate rows until their
   * blocks run again. Never unset.
   */
  readonly hasKeptCalls?: true | undefined;
  /** The seeds of undone steps, most recent step first. Absent if there are none. */
  readonly seeds?: readonly SeedOfQuestion[] | undefined;
  /** The seed for the next reply to the waiting input. */
  readonly nextSeed?: string | undefined;
  /** Whether the visitor's client has rendered an answer and must report it: see `awaitsReport`. */
  readonly awaitsReport?: true | undefined;
};

/** The result that belongs to the bot of a link block. */
export type LinkedResult = readonly [blockId: string, botId: string, resultId: string];

/**
 * The seed of an undone step and the input that the step answered. The id is `notAsking` if the step started at a block
 * that is not an input.
 */
export type SeedOfQuestion = readonly [blockId: string, seed: string];
export const notAsking = "";

/** The time limit for one visit of a block. The visit is either an unanswered input or a wait. */
export type Timer = {
  readonly kind: "timeout" | "wait";
  /** An id that is unique among the visits of the session. */
  readonly visit: string;
  readonly blockId: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly due: number;
};

/** The output of steps that were not requested by the visitor's client. */
export type Unseen = {
  /** The block that was waiting when the client received its last step. */
  readonly blockId: string;
  readonly messages: readonly { readonly id: string; readonly type: string; readonly content: unknown }[];
  readonly actions: readonly { readonly type: string; readonly [payload: string]: unknown }[];
  /** The input that is waiting after these steps. */
  readonly input?: { readonly id: string; readonly type: string; readonly [key: string]: unknown };
};

/** The sender of a reply, if the sender has not received the whole chat. */
export type Sender =
  /**
   * `unaware`: a visitor's client that has received only the steps of its own requests. `other`: the service itself, or
   * another program that continues the chat.
   */
  "unaware" | "other";

/**
 * Whether a state, given as JSON text, waits for the report of a rendered answer. The mark is the last key, so that
 * callers need not parse the state.
 */
export function awaitsReport(state: string): boolean {
  return state.endsWith('"awaitsReport":true}');
}

/** Data stored by an input when it is shown. The data is deleted when the chat continues from the input. */
export type KeptOfInput = { readonly blockId: string; readonly value: unknown };

/** The id and value of a variable, and its name if the flow does not contain the id. */
export type WrittenVariable = readonly [id: string, value: Value] | readonly [id: string, value: Value, name: string];

export type FrameState = {
  readonly program: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** The variables written so far, in the order of writing. */
  readonly written: readonly WrittenVariable[];
  /**
   * The ids of written variables that the result may lack, because the variables were not saved with this state. Absent
   * if there are none.
   */
  readonly set?: readonly string[] | undefined;
  /** Variables that became session variables during the chat. */
  readonly sessionVariableIds?: readonly string[] | undefined;
  readonly answers: readonly (readonly [key: string, value: string])[];
  /** The position at which the parent flow continues after this flow has ended. */
  readonly queuedHops: readonly Hop[];
  /**
   * Blocks that commands interrupted, most recent first. When the command's path has ended, the flow resumes at the
   * first of these blocks.
   */
  readonly resumeAt?: readonly { readonly groupId: string; readonly blockId: string }[] | undefined;
  readonly isMerging: boolean;
};

/** A transition to the next block: an edge of the flow, or a group or block reached by a jump, link or return. */
export type Hop = { readonly edgeId: string } | { readonly groupId: string; readonly blockId?: string };

/** A mark that stores the target of a `Return` block. `reply` is handled after the walk has returned to the input. */
export type ReturnMark = { readonly status: "pending" | "called"; readonly blockId: string; readonly reply?: Reply };

/**
 * The marks below the mark that the next `Return` block uses, oldest first. `isCut`: whether earlier marks were
 * dropped, which the log reports.
 */
export type CoveredMarks = { readonly marks: readonly ReturnMark[]; readonly isCut?: true };

/**
 * The message that continues a waiting chat: a visitor's message, or a report by the service, which clients cannot
 * send.
 */
export type Reply = VisitorReply | PaymentReply;

/** The provider's report that a payment was made. */
export type PaymentReply = { readonly type: "payment"; readonly paymentId: string };
/**
 * The event that continues a chat without its visitor after the block's time limit has expired. Clients cannot send
 * this event.
 */
export type DueReply = { readonly type: "timeout" } | { readonly type: "wait" };

/**
 * A visitor's message. `strangeFileUrls` contains addresses that look like our files, but belong to no stored file of
 * this chat or its result. No input accepts these addresses.
 */
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

/** Text from a visitor, or the items that the visitor chose. */
export type TextReply = Extract<VisitorReply, { readonly type: "text" }>;

/** The reply with which a step starts. */
export type StepReply = Reply | DueReply;
