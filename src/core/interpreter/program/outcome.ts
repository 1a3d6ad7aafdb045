import { textAt } from "../flow.ts";
import { withSecretNames } from "../language/secret-tokens.ts";
import type { Effect } from "./effect.ts";
import type { Job } from "./job.ts";
import type { Write } from "./variables.ts";

/** A message that is shown to the visitor. */
export type Message = {
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
  /** The meaning of a message from the service itself, for clients that replace its text. */
  readonly notice?: Notice;
  /** Set if the bubble shows a model's answer and the bot supports actions on answers. */
  readonly isAnswer?: true;
  /** The reason why a model's answer is incomplete. */
  readonly unfinished?: Unfinished;
};

/**
 * `length`: the answer reached its length limit. `cut`: the provider or the connection ended the answer. `filtered`:
 * the provider withheld the rest. `stopped`: the visitor stopped the answer.
 */
export const unfinishedReasons = ["length", "cut", "filtered", "stopped"] as const;
export type Unfinished = (typeof unfinishedReasons)[number];

export type Notice = {
  readonly code: "payment.unavailable" | "payment.processing" | "payment.checking" | "model.no_answer";
  /** The amount in the main unit of the currency. */
  readonly amount?: number;
  readonly currency?: string;
};

/** An action for the visitor's client. The value of `type` is also the key of the action's payload. */
export type ClientAction = {
  readonly type: string;
  readonly lastBubbleBlockId?: string;
  readonly expectsDedicatedReply?: boolean;
  readonly [payload: string]: unknown;
};

/** An entry for the result's log and for the step's response. An entry without a status is an error. */
export type StepLog = {
  readonly status?: string;
  readonly description: string;
  readonly details?: string;
  readonly context?: string;
  /** Whether the entry is only stored with the result and not sent to the visitor, because it may contain secrets. */
  readonly isPrivate?: boolean;
  /** Further details that only authors see: the location of their code and the code itself. */
  readonly forAuthors?: string;
  /**
   * The block at which previews show this entry. The entry is logged only once per block and chat. Set if a text
   * replaced a value that could not be computed, or if messengers do not support the block.
   */
  readonly textInsteadAt?: string;
  /** For an error: the reason, used for counting. If absent, `block` is stored. */
  readonly reason?: FailureReason;
  /** For a stored error: the block that failed. */
  readonly blockId?: string;
};

/**
 * The reason why a step failed. The reason never contains text from the visitor. `block` covers every reason without
 * its own value.
 */
export type FailureReason =
  | ("block" | "script" | "credentials" | "budget" | "mail")
  | `http.${number | "unanswered"}`
  | `model.${string}`;

/** Returns a log entry without the fields that are stored for counting. */
export function withoutFailure({ reason: _, blockId: __, ...log }: StepLog): StepLog {
  return log;
}

/** Replaces tokens with names of secrets, because a script may have included a secret's token in its error. */
export function withSecretsNamed(log: StepLog): StepLog {
  const { description, details, forAuthors } = log;
  return {
    ...log,
    description: withSecretNames(description),
    ...(details !== undefined && { details: withSecretNames(details) }),
    ...(forAuthors !== undefined && { forAuthors: withSecretNames(forAuthors) }),
  };
}

/** Returns all details of a log entry for authors, if any. */
export function authorsDetails({ details, forAuthors }: StepLog): string | undefined {
  if (forAuthors === undefined) return details;
  return details === undefined ? forAuthors : `${details}\n${forAuthors}`;
}

/** The scripts and elements that the visitor's page loads before the first message. */
export type StartProps = {
  /** HTML for the page's head, which consists only of elements without text between them. */
  readonly customHeadCode?: string;
  readonly gtmId?: string;
  readonly googleAnalyticsId?: string;
  readonly pixelIds?: readonly string[];
};

/** The output of a block, regardless of how the walk continues. */
export type Produced = {
  readonly messages?: readonly Message[];
  readonly actions?: readonly ClientAction[];
  readonly logs?: readonly StepLog[];
  readonly writes?: readonly Write[];
  readonly jobs?: readonly Job[];
  /** Variables that become session variables. Results do not store session variables. */
  readonly sessionVariableIds?: readonly string[];
  /** The following block, if it must be skipped. */
  readonly passedOver?: string;
  /**
   * Set if the block's external effect failed. If the block has a failure edge, the flow continues by that edge and
   * shows only these messages.
   */
  readonly failed?: { readonly messages?: readonly Message[] };
  /**
   * The answer's text, if the visitor's client has already rendered it in place of the bubble with this id. The walk
   * pauses after that bubble.
   */
  readonly streamed?: { readonly text: string; readonly bubbleId: string };
  /** Set if the next bubble shows a model's answer. `unfinished`: the reason why the answer is incomplete. */
  readonly answer?: { readonly unfinished?: Unfinished };
};

/** The outcome of a block, which determines how the walk continues. */
export type Outcome = Produced &
  (
    | { readonly kind: "next" }
    /** Leaves the group through an edge. */
    | { readonly kind: "leave"; readonly edgeId: string }
    /** Leaves the group without an edge. */
    | { readonly kind: "stop" }
    /** Ends the chat, even if another flow linked to this flow. */
    | { readonly kind: "end" }
    /**
     * Waits for the visitor's reply to this input. `kept` is passed back with the reply and when the input is shown
     * again.
     */
    | { readonly kind: "ask"; readonly input: InputMessage; readonly kept?: unknown }
    /** Waits at the block until the client's report, another program's call or a time limit continues the chat. */
    | { readonly kind: "pause" }
    /** Waits for an effect. `memo` is passed back with the report. */
    | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown }
    /**
     * Continues at another block. The block after the current block, if any, is stored as the target of a `Return`
     * block.
     */
    | { readonly kind: "jump"; readonly groupId: string; readonly blockId?: string }
    /** Enters a linked flow, and returns when the linked flow has ended. */
    | ({ readonly kind: "link" } & Link)
    /** Returns to the block that the last jump, command or event stored as the target. */
    | { readonly kind: "return" }
  );

/** A linked flow. `program` is the key of another bot's program, or `current` for the running flow. */
export type Link = {
  readonly program: string;
  /** The group at which the flow begins. If absent, the flow begins at its start. */
  readonly group?: { readonly id: string } | { readonly title: string };
  readonly isMerging: boolean;
  /**
   * The id of a separate result for the linked flow, which is only used if results are not merged. Null if the bot
   * links to itself.
   */
  readonly resultId: string | null;
};

/** An input in the format that the visitor's client receives. */
export type InputMessage = {
  readonly id: string;
  readonly type: string;
  readonly outgoingEdgeId?: string;
  readonly [key: string]: unknown;
};

/** Whether a value is an input in the format of a step's response. */
export function isInputMessage(value: unknown): value is InputMessage {
  return textAt(value, "id") !== undefined && textAt(value, "type") !== undefined;
}

/**
 * The outcome of a reply to an input, or an effect that determines the outcome. `memo` is passed back with the report.
 */
export type ReplyOutcome =
  | ReplyVerdict
  | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown };

export type ReplyVerdict =
  | {
      readonly kind: "accepted";
      readonly content: string;
      /** The edge of the matched item, if the item has an edge. */
      readonly edgeId?: string;
      readonly writes?: readonly Write[];
      readonly logs?: readonly StepLog[];
    }
  /** No value is stored, and the flow follows the default path. */
  | { readonly kind: "skipped" }
  /**
   * The input is shown again, with the block's own message if there is one. Variables in the message are already
   * replaced.
   */
  | {
      readonly kind: "invalid";
      readonly message?: string;
      readonly notice?: Notice;
      readonly logs?: readonly StepLog[];
      /** Whether the visitor is not at fault. If so, the flow's event for invalid replies does not run. */
      readonly isPatient?: true;
      /** The data with which the input is shown again without an effect. If absent, the input is prepared again. */
      readonly prepared?: AskedInput;
    };

/** The result of preparing an input: additional fields for the client, and data that the input stores for its reply. */
export type AskedInput = {
  readonly shown?: Readonly<Record<string, unknown>>;
  readonly kept?: unknown;
  readonly produced?: Produced;
};

/** Returns the log entry for a block that only a browser can run. The entry is logged once per block and chat. */
export function notOnMessengers({ id }: { readonly id: string }): StepLog {
  return { status: "info", description: "Blocks of this type do not run on messengers", textInsteadAt: id };
}

/**
 * Returns the default outcome of logic and integration blocks: the flow continues through the block's edge, or at the
 * next block of the group if there is no edge.
 */
export function continueAfter(block: {
  readonly outgoingEdgeId?: string | undefined;
}): { kind: "leave"; edgeId: string } | { kind: "next" } {
  return block.outgoingEdgeId === undefined ? { kind: "next" } : { kind: "leave", edgeId: block.outgoingEdgeId };
}
