import { textAt } from "../flow.ts";
import { withSecretNames } from "../language/secret-tokens.ts";
import type { Effect } from "./effect.ts";
import type { Job } from "./job.ts";
import type { Write } from "./variables.ts";

/** The content that the visitor is shown. */
export type Message = {
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
  /** The meaning of a sentence of the service itself, for clients with their own words for it. */
  readonly notice?: Notice;
  /** The bubble shows a model's answer. Only if the bot has acts on answers. */
  readonly isAnswer?: true;
  /** The reason why a model's answer was cut off. */
  readonly unfinished?: Unfinished;
};

/**
 * `length`: the answer reached its length limit; `cut`: the provider or the connection ended it; `filtered`: the
 * provider withheld the rest; `stopped`: the visitor stopped it.
 */
export const unfinishedReasons = ["length", "cut", "filtered", "stopped"] as const;
export type Unfinished = (typeof unfinishedReasons)[number];

export type Notice = {
  readonly code: "payment.unavailable" | "payment.processing" | "payment.checking" | "model.no_answer";
  /** In whole units of the currency. */
  readonly amount?: number;
  readonly currency?: string;
};

/** An action for the visitor's client. The key of its payload is the name in `type`. */
export type ClientAction = {
  readonly type: string;
  readonly lastBubbleBlockId?: string;
  readonly expectsDedicatedReply?: boolean;
  readonly [payload: string]: unknown;
};

/** An entry for the result's log, and for the step's response. Without a status the entry is an error. */
export type StepLog = {
  readonly status?: string;
  readonly description: string;
  readonly details?: string;
  readonly context?: string;
  /** Stored with the result, but not sent to the visitor: it may hold secrets. */
  readonly isPrivate?: boolean;
  /** Details only for authors, after the others: the place of their code, and the code. */
  readonly forAuthors?: string;
  /**
   * Logged once for each block and chat, and shown by previews at this block: a text replaces a value that could not be
   * computed, or messengers do not support the block.
   */
  readonly textInsteadAt?: string;
  /** For an error: the reason, for counts. Absent until it is stored: `block`. */
  readonly reason?: FailureReason;
  /** For a stored error: the block that failed. */
  readonly blockId?: string;
};

/**
 * The reason why a step failed, in a word for programs: one of a few, without the visitor's words. `block` is any other
 * reason of the block.
 */
export type FailureReason =
  | ("block" | "script" | "credentials" | "budget" | "mail")
  | `http.${number | "unanswered"}`
  | `model.${string}`;

/** A log without the fields that are stored for counts. */
export function withoutFailure({ reason: _, blockId: __, ...log }: StepLog): StepLog {
  return log;
}

/** A script may have put the token of a secret into its error. */
export function withSecretsNamed(log: StepLog): StepLog {
  const { description, details, forAuthors } = log;
  return {
    ...log,
    description: withSecretNames(description),
    ...(details !== undefined && { details: withSecretNames(details) }),
    ...(forAuthors !== undefined && { forAuthors: withSecretNames(forAuthors) }),
  };
}

/** All the details of a log, as authors read them. */
export function authorsDetails({ details, forAuthors }: StepLog): string | undefined {
  if (forAuthors === undefined) return details;
  return details === undefined ? forAuthors : `${details}\n${forAuthors}`;
}

/** The scripts and elements that the visitor's page loads before the first message. */
export type StartProps = {
  /** HTML for the page's head: elements only, no text between them. */
  readonly customHeadCode?: string;
  readonly gtmId?: string;
  readonly googleAnalyticsId?: string;
  readonly pixelIds?: readonly string[];
};

/** The output of a block, independent of the blocks after it. */
export type Produced = {
  readonly messages?: readonly Message[];
  readonly actions?: readonly ClientAction[];
  readonly logs?: readonly StepLog[];
  readonly writes?: readonly Write[];
  readonly jobs?: readonly Job[];
  /** Variables that become session variables: results do not keep them. */
  readonly sessionVariableIds?: readonly string[];
  /** The block after this block, if it must not run. */
  readonly passedOver?: string;
  /**
   * The block's effect outside has failed: it leaves by its failure edge, if it has one, and shows only these messages.
   */
  readonly failed?: { readonly messages?: readonly Message[] };
  /**
   * The answer's text, if the visitor's client has drawn it in place of the bubble with this id: the walk pauses after
   * that bubble.
   */
  readonly streamed?: { readonly text: string; readonly bubbleId: string };
  /** The bubble after this block shows a model's answer; `unfinished`: why the answer is incomplete. */
  readonly answer?: { readonly unfinished?: Unfinished };
};

/** The next move after a block has run. */
export type Outcome = Produced &
  (
    | { readonly kind: "next" }
    /** Leave the group through an edge. */
    | { readonly kind: "leave"; readonly edgeId: string }
    /** Leave the group without an edge. */
    | { readonly kind: "stop" }
    /** End the chat, even if another flow linked to this one. */
    | { readonly kind: "end" }
    /**
     * Wait for the visitor's reply to this input. `kept` is passed back with the reply, and when the input is asked
     * again.
     */
    | { readonly kind: "ask"; readonly input: InputMessage; readonly kept?: unknown }
    /** Wait until the visitor's client reports back. */
    | { readonly kind: "pause" }
    /** Wait for an effect; `memo` is passed back with its report. */
    | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown }
    /** Continue at a place, and remember the target of a `Return`. */
    | { readonly kind: "jump"; readonly groupId: string; readonly blockId?: string }
    /** Enter a linked flow, and return when it has ended. */
    | ({ readonly kind: "link" } & Link)
    /** Return to the place that the last jump, command or event started from. */
    | { readonly kind: "return" }
  );

/** A linked flow: the key of another bot's program, or `current` for the running one. */
export type Link = {
  readonly program: string;
  /** Absent: the start of the flow. */
  readonly group?: { readonly id: string } | { readonly title: string };
  readonly isMerging: boolean;
  /** The result of a linked flow that does not merge. */
  readonly resultId: string | null;
};

/** An input as the visitor's client gets it. */
export type InputMessage = {
  readonly id: string;
  readonly type: string;
  readonly outgoingEdgeId?: string;
  readonly [key: string]: unknown;
};

/** Whether this is an input, in the form of a step's response. */
export function isInputMessage(value: unknown): value is InputMessage {
  return textAt(value, "id") !== undefined && textAt(value, "type") !== undefined;
}

/** The outcome of a reply to an input, or the effect that decides it; `memo` is passed back with its report. */
export type ReplyOutcome =
  | ReplyVerdict
  | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown };

export type ReplyVerdict =
  | {
      readonly kind: "accepted";
      readonly content: string;
      /** The edge of the matched item, if it has an edge. */
      readonly edgeId?: string;
      readonly writes?: readonly Write[];
      readonly logs?: readonly StepLog[];
    }
  /** No value is saved and the default path is followed. */
  | { readonly kind: "skipped" }
  /** The visitor is asked again, with the block's own message (variables replaced) where it has one. */
  | {
      readonly kind: "invalid";
      readonly message?: string;
      readonly notice?: Notice;
      readonly logs?: readonly StepLog[];
      /** The visitor is not at fault: the flow's event for invalid replies does not run. */
      readonly isPatient?: true;
      /** The input is shown in this form, without an effect; absent: it is prepared again. */
      readonly prepared?: AskedInput;
    };

/**
 * The result of preparing an input: further fields for the client, and the data that the input stores for its reply.
 */
export type AskedInput = {
  readonly shown?: Readonly<Record<string, unknown>>;
  readonly kept?: unknown;
  readonly produced?: Produced;
};

/** The log of a block that only a visitor's browser could run, once for each chat. */
export function notOnMessengers({ id }: { readonly id: string }): StepLog {
  return { status: "info", description: "Not run on messengers", textInsteadAt: id };
}

/** The plain outcome of logic and integration blocks: through their own edge, else to the next block of the group. */
export function continueAfter(block: {
  readonly outgoingEdgeId?: string | undefined;
}): { kind: "leave"; edgeId: string } | { kind: "next" } {
  return block.outgoingEdgeId === undefined ? { kind: "next" } : { kind: "leave", edgeId: block.outgoingEdgeId };
}
