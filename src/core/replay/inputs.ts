import { hash } from "node:crypto";
import { limits } from "../../limits/index.ts";
import { textAt } from "../interpreter/flow.ts";
import type { ChatContact } from "../interpreter/program/contact.ts";
import type { Effect, Report } from "../interpreter/program/effect.ts";
import type { Sender, SessionState } from "../interpreter/program/state.ts";
import type { ContentFormat } from "../interpreter/program/view.ts";
import type { LinkedAnswer } from "../interpreter/step/result-update.ts";
import type { StartOptions } from "../interpreter/step/start.ts";
import type { AdvanceTask } from "../tasks/messages.ts";

/** The inputs of a step in addition to its flow, its previous state and its reply. */
export type StepInputs = {
  readonly now: number;
  readonly seed: string;
} & MoreInputs;

type MoreInputs = {
  /** The time from which the time limit of the step's input counts, if it is not `now`. */
  readonly askedAt?: number;
  readonly contentFormat?: ContentFormat;
  /** Whether streaming was enabled. Present only for a start. */
  readonly isStreamEnabled?: true;
  readonly isOnlyRegistering?: true;
  readonly options?: StartOptions;
  /** Whether the step began with an answer that the visitor's client rendered while it was streamed. */
  readonly isStreamed?: true;
  /** Absent if the sender of the reply had received the whole chat. */
  readonly sender?: Sender;
  /** Set if the options of the start were too large to be stored. */
  readonly isCut?: true;
  /**
   * The messenger contact. Absent for chats on the web, and if the state before the reply contains the same contact
   * data.
   */
  readonly contact?: ChatContact;
  /** The block for which an external call was received. Absent if the step received no call. */
  readonly called?: string;
  /** Addresses in the reply that look like our files, but belong to no stored file of this chat or its result. */
  readonly strangeFileUrls?: readonly string[];
  /** The hash of the flow before this step, if the chat moved to another version in this step. */
  readonly movedFrom?: string;
  /** The reports of the step's effects in order. */
  readonly reports?: readonly RecordedReport[];
  /**
   * The bubbles with models' answers that belong to results of linked bots rather than to the chat's own result. These
   * bubbles are not an input of the step, but are stored for ratings.
   */
  readonly linkedAnswers?: readonly LinkedAnswer[];
};

/** The report of an effect. If the report was too large, its hash is stored instead. */
export type RecordedReport = {
  /** Identifies the effect by its content. */
  readonly effect: string;
  /** The block that requested the effect. */
  readonly blockId: string;
} & ({ readonly report: Report } | { readonly hash: string });

/**
 * Returns the text that is stored with the step: `[now, seed]`, and an object with all other inputs if there are any.
 */
export function writeInputs(
  { context, input }: Pick<AdvanceTask, "context" | "input">,
  {
    reports,
    movedFrom,
    askedAt,
    called,
    linkedAnswers,
  }: {
    reports: readonly RecordedReport[];
    movedFrom: string | undefined;
    /** Defaults to `now`. */
    askedAt?: number | undefined;
    called?: string | undefined;
    linkedAnswers?: readonly LinkedAnswer[] | undefined;
  },
): string {
  const { now, seed, contentFormat } = context;
  const strangeFileUrls = strangeIn(input);
  const isStreamed = input.kind === "reply" && input.isStreamed;
  const sender = input.kind === "reply" ? input.sender : undefined;
  const contact = newFacts(context.contact, input);
  const isPlain =
    input.kind !== "start" &&
    !isStreamed &&
    sender === undefined &&
    called === undefined &&
    contact === undefined &&
    contentFormat === "richText" &&
    reports.length === 0 &&
    askedAt === undefined;
  if (isPlain && movedFrom === undefined && strangeFileUrls === undefined) return `[${now},"${seed}"]`;
  const more: MoreInputs = {
    ...(askedAt !== undefined && askedAt !== now && { askedAt }),
    ...(contentFormat !== "richText" && { contentFormat }),
    ...startInputs(input),
    ...(isStreamed && { isStreamed }),
    ...(sender && { sender }),
    ...(contact && { contact }),
    ...(called !== undefined && { called }),
    ...(strangeFileUrls && { strangeFileUrls }),
    ...(movedFrom !== undefined && { movedFrom }),
    ...(reports.length > 0 && { reports: withinBounds(reports) }),
    ...(linkedAnswers && { linkedAnswers }),
  };
  return Object.keys(more).length === 0 ? `[${now},"${seed}"]` : JSON.stringify([now, seed, more]);
}

export function readInputs(text: string): StepInputs {
  const [now, seed, more]: [number, string, MoreInputs?] = JSON.parse(text);
  return { ...more, now, seed };
}

/**
 * Returns a hash that identifies an effect by its content. The requested amount of a payment check, and the mark of a
 * payment from an earlier visit, are excluded because earlier releases did not record them.
 */
export function effectHash(effect: Effect): string {
  return contentHash(recordedOf(effect));
}

function recordedOf(effect: Effect): object {
  if (effect.kind === "paymentCheck") return { kind: effect.kind, paymentId: effect.paymentId };
  if (effect.kind !== "payment" || !effect.isNewVisit) return effect;
  const { isNewVisit, ...recorded } = effect;
  return recorded;
}

/** Returns a hash that identifies a report or similar data by its content. */
export function contentHash(value: unknown): string {
  return hash("sha256", JSON.stringify(value)).slice(0, 32);
}

function newFacts(contact: ChatContact | undefined, input: AdvanceTask["input"]): ChatContact | undefined {
  if (contact === undefined || input.kind !== "reply") return contact;
  const { contact: known }: Partial<SessionState> = JSON.parse(input.state);
  return JSON.stringify(known) === JSON.stringify(contact) ? undefined : contact;
}

function strangeIn(input: AdvanceTask["input"]): readonly string[] | undefined {
  if (input.kind !== "start" && input.kind !== "reply") return undefined;
  return input.reply && "strangeFileUrls" in input.reply ? input.reply.strangeFileUrls : undefined;
}

function startInputs(input: AdvanceTask["input"]): MoreInputs {
  if (input.kind !== "start") return {};
  const { isStreamEnabled, isOnlyRegistering, options } = input;
  const { prefilledVariables = {}, ...others } = options;
  const kept: StartOptions = { ...others, ...(Object.keys(prefilledVariables).length > 0 && { prefilledVariables }) };
  const isSmall = Buffer.byteLength(JSON.stringify(kept)) <= limits.replay.inputBytes;
  return {
    ...(isStreamEnabled && { isStreamEnabled }),
    ...(isOnlyRegistering && { isOnlyRegistering }),
    ...(Object.keys(kept).length > 0 && (isSmall ? { options: kept } : { isCut: true })),
  };
}

/** The text that replaces the secret with which a visitor's client pays. */
const placeholder = "•••";

function withoutSecret(report: Report): Report {
  return "paymentIntentSecret" in report ? { ...report, paymentIntentSecret: placeholder } : report;
}

/** Restores a report as the step received it. The secret of a payment is stored only in the step's response. */
export function withSecret(report: Report, response: string): Report {
  if (!("paymentIntentSecret" in report) || report.paymentIntentSecret !== placeholder) return report;
  const shown = textAt(JSON.parse(response), "input", "runtimeOptions", "paymentIntentSecret");
  return { ...report, paymentIntentSecret: shown ?? placeholder };
}

/**
 * Replaces payment secrets with a placeholder, and large reports with their hashes. A report that does not fit into the
 * remaining total size is also replaced with its hash.
 */
function withinBounds(reports: readonly RecordedReport[]): RecordedReport[] {
  let bytesLeft: number = limits.replay.stepBytes;
  return reports.map((given) => {
    if (!("report" in given)) return given;
    const recorded = { ...given, report: withoutSecret(given.report) };
    const { report, ...named } = recorded;
    const bytes = Buffer.byteLength(JSON.stringify(report));
    if (bytes > limits.replay.reportBytes || bytes > bytesLeft) return { ...named, hash: contentHash(report) };
    bytesLeft -= bytes;
    return recorded;
  });
}
