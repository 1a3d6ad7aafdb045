import type { StepReply } from "../interpreter/program/state.ts";
import type { StartEnvelope } from "../tasks/messages.ts";
import { readInputs, type StepInputs } from "./inputs.ts";

/** A past chat as stored in its session. */
export type HeldChat = {
  readonly resultId: string;
  readonly sessionId: string;
  readonly botId: string;
  readonly dialect: StartEnvelope["dialect"];
  /** The last flow version that the chat ran. */
  readonly flowHash: string;
  readonly isEnded: boolean;
  /** Whether the chat has more steps than a replay reads. */
  readonly isCut: boolean;
};

/**
 * A step of the chat in transfer format. `response` is null if the step is too large to be compared. `inputs` is null
 * if the inputs were not stored or are too large.
 */
export type StoredStep = readonly [
  revision: number,
  reply: StepReply | null,
  response: string | null,
  inputs: string | null,
  wentBackTo: number | null,
];

export type HeldStep = {
  readonly revision: number;
  readonly reply: StepReply | null;
  readonly response: string;
  readonly inputs: StepInputs;
  /** For a step back: the revision whose input is shown again. */
  readonly wentBackTo: number | null;
};

/** The reasons why a chat, or the rest of it, cannot be replayed. */
export const unknownReasons = [
  "expired",
  "inputs_not_kept",
  "report_cut",
  "too_large",
  "version_gone",
  "not_reproducible",
] as const;
export type Unknown = (typeof unknownReasons)[number];

export const unknownMessages: Readonly<Record<Unknown, string>> = {
  expired: "Its steps are no longer stored.",
  inputs_not_kept: "The chat took place before the release that stores the inputs of a replay.",
  report_cut: "The response to a call was too large to store.",
  too_large: "One of its steps is too large, or takes too long, to compare.",
  version_gone: "The chat's version, or a version that it linked to, no longer exists.",
  not_reproducible: "This release returns different responses even with the chat's own version.",
};

/** The steps of a chat that can be replayed. */
export type HeldSteps = {
  readonly steps: readonly HeldStep[];
  /** The reason why the remaining steps are missing, if any are. */
  readonly missing: Unknown | undefined;
};

/**
 * Returns the steps before the first step that cannot be replayed. `missing` is the reason why this step cannot be
 * replayed, if there is one.
 */
export function readSteps(stored: readonly StoredStep[]): HeldSteps {
  const steps: HeldStep[] = [];
  // The steps have expired, or the chat was deleted after it was listed.
  if (stored.length === 0) return { steps, missing: "expired" };
  for (const one of stored) {
    const step = heldStep(one);
    if (typeof step === "string") return { steps, missing: step };
    steps.push(step);
  }
  return { steps, missing: undefined };
}

function heldStep([revision, reply, response, inputs, wentBackTo]: StoredStep): HeldStep | Unknown {
  if (response === null) return "too_large";
  if (inputs === null) return "inputs_not_kept";
  const read = readInputs(inputs);
  return read.isCut ? "too_large" : { revision, reply, response, inputs: read, wentBackTo };
}
