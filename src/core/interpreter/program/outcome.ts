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
  /** The meaning of a sentence of the service itself, for clients that have their own words for it. */
  readonly notice?: Notice;
  /** It shows a model's answer. Only where the bot has acts on answers. */
  readonly isAnswer?: true;
  /** For a model's answer that was cut off: why. */
  readonly unfinished?: Unfinished;
};

/**
 * `length`: it reached the most that it may have; `cut`: by its provider or the connection; `filtered`: the provider
 * withheld the rest; `stopped`: by the visitor.
 */
export const unfinishedReasons = ["length", "cut", "filtered", "stopped"] as const;
export type Unfinished = (typeof unfinishedReasons)[number];

export type Notice = {
  readonly code: "payment.unavailable" | "payment.processing" | "payment.checking" | "model.no_answer";
  /** In whole units of the currency. */
  readonly amount?: number;
  readonly currency?: string;
};

/** An action for the visitor's client. Its payload has the key that `type` names. */
export type ClientAction = {
  readonly type: string;
  readonly lastBubbleBlockId?: string;
  readonly expectsDedicatedReply?: boolean;
  readonly [payload: string]: unknown;
};

/** An entry for the result's log, and for the step's response. Without status it is an error. */
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
   * Logged once a block and chat, and previews show it there: for a text that replaces a value that could not be
   * computed, its block; for what messengers cannot do, too.
   */
  readonly textInsteadAt?: string;
  /** For an error: the reason, for counts. Absent until it is stored: `block`. */
  readonly reason?: FailureReason;
  /** For a stored error: the block that failed. */
  readonly blockId?: string;
};

/**
 * Why a step failed, in a word for programs: one of a few, and nothing that a visitor said. `block` is any other reason
 * of the block.
 */
export type FailureReason =
  | ("block" | "script" | "credentials" | "budget" | "mail")
  | `http.${number | "unanswered"}`
  | `model.${string}`;

/** A log without what is stored for counts. */
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

/** The output of a block, independent of what follows. */
export type Produced = {
  readonly messages?: readonly Message[];
  readonly actions?: readonly ClientAction[];
  readonly logs?: readonly StepLog[];
  readonly writes?: readonly Write[];
  readonly jobs?: readonly Job[];
  /** Variables that become session variables: results do not keep them. */
  readonly sessionVariableIds?: readonly string[];
  /** The block behind this one, if it must not run. */
  readonly passedOver?: string;
  /**
   * What the block does outside has failed: it leaves by its edge for that, where it has one, and says only these
   * messages.
   */
  readonly failed?: { readonly messages?: readonly Message[] };
  /**
   * The answer's text, if the visitor's client has drawn it in place of the bubble with this id: the walk pauses after
   * that bubble.
   */
  readonly streamed?: { readonly text: string; readonly bubbleId: string };
  /** The bubble after this block shows a model's answer; `unfinished`: why that ends before its end. */
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
    /** Wait for the visitor's reply to this input. `kept` comes back with the reply, and when it is asked again. */
    | { readonly kind: "ask"; readonly input: InputMessage; readonly kept?: unknown }
    /** Wait until the visitor's client reports back. */
    | { readonly kind: "pause" }
    /** Wait for an effect; `memo` comes back with its report. */
    | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown }
    /** Go on at a place, and remember where a `Return` leads. */
    | { readonly kind: "jump"; readonly groupId: string; readonly blockId?: string }
    /** Enter a linked flow, and come back when it has ended. */
    | ({ readonly kind: "link" } & Link)
    /** Go back to where the last jump, command or event came from. */
    | { readonly kind: "return" }
  );

/** A linked flow: the key of another bot's program, or `current` for the running one. */
export type Link = {
  readonly program: string;
  /** Absent: where the flow starts. */
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

/** Whether this is an input, as a response of a step has it. */
export function isInputMessage(value: unknown): value is InputMessage {
  return textAt(value, "id") !== undefined && textAt(value, "type") !== undefined;
}

/** The outcome of a reply to an input, or the effect that decides it; `memo` comes back with its report. */
export type ReplyOutcome =
  | ReplyVerdict
  | { readonly kind: "perform"; readonly effect: Effect; readonly memo?: unknown };

export type ReplyVerdict =
  | {
      readonly kind: "accepted";
      readonly content: string;
      /** The edge of the matched item, where it has one. */
      readonly edgeId?: string;
      readonly writes?: readonly Write[];
      readonly logs?: readonly StepLog[];
    }
  /** Nothing is saved and the default path is followed. */
  | { readonly kind: "skipped" }
  /** The visitor is asked again, with the block's own message (variables replaced) where it has one. */
  | {
      readonly kind: "invalid";
      readonly message?: string;
      readonly notice?: Notice;
      readonly logs?: readonly StepLog[];
      /** It is not a fault of the visitor: the flow's event for invalid replies does not run. */
      readonly isPatient?: true;
      /** The input is shown like this, without an effect; absent: it is prepared again. */
      readonly prepared?: AskedInput;
    };

/** The result of preparing an input: further fields for the client, and what the input keeps for its reply. */
export type AskedInput = {
  readonly shown?: Readonly<Record<string, unknown>>;
  readonly kept?: unknown;
  readonly produced?: Produced;
};

/** The log of a block that only a visitor's browser could run, once a chat. */
export function notOnMessengers({ id }: { readonly id: string }): StepLog {
  return { status: "info", description: "Not run on messengers", textInsteadAt: id };
}

/** The plain outcome of logic and integration blocks: through their own edge, else on in the group. */
export function continueAfter(block: {
  readonly outgoingEdgeId?: string | undefined;
}): { kind: "leave"; edgeId: string } | { kind: "next" } {
  return block.outgoingEdgeId === undefined ? { kind: "next" } : { kind: "leave", edgeId: block.outgoingEdgeId };
}
