import { isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import { parseJsonOr } from "../interpreter/language/json.ts";
import type { Report } from "../interpreter/program/effect.ts";
import { durationText } from "./durations.ts";
import { type WrittenReport, writtenReport } from "./reports.ts";
import { describeResponse, listAt } from "./said.ts";
import type { TestConversation, Turn } from "./schema.ts";

/** A step of a past chat. */
export type HeldStep = {
  readonly reply: unknown;
  readonly response: unknown;
  readonly createdAt: Date;
  /** The reports of the step's effects in order. An entry is undefined if its report was not stored. */
  readonly reports: readonly (Report | undefined)[];
  /** For the first step: whether the chat was only created, so that the first reply starts the flow. */
  readonly isOnlyRegistering?: boolean;
  /** Whether the visitor replied without having received earlier steps that ran without a request. */
  readonly isUnaware?: boolean;
};

/**
 * Creates a test conversation from a past chat. Each turn expects the bubbles, input type and choices of the chat, and
 * contains the reports of the chat's calls. The author must add initial variables, the random seed and values that were
 * too large to store.
 */
export function record(
  steps: readonly HeldStep[],
  { title, isPreview, isEnded }: { title: string; isPreview: boolean; isEnded: boolean },
): TestConversation {
  const first = messageOf(steps[0]?.reply);
  const turns = steps.map(({ reply, response, createdAt, reports, isUnaware }, index): Turn => {
    const { shows, asks, choices } = describeResponse(response);
    const came = reportsOf(reports);
    const isLast = index === steps.length - 1;
    const before = steps[index - 1];
    return {
      ...(before && wayOf({ reply, createdAt, reports }, before)),
      ...(isUnaware && { isUnaware }),
      now: createdAt.toISOString(),
      ...(came.length > 0 && { reports: came }),
      expect: {
        shows: [...shows],
        asks,
        ...(choices.length > 0 && { choices: [...choices] }),
        ...(isLast && isEnded && { ends: true }),
      },
    };
  });
  return {
    title,
    ...((first !== null || steps[0]?.isOnlyRegistering) && {
      start: {
        ...(first !== null && { message: first }),
        ...(steps[0]?.isOnlyRegistering && { isOnlyRegistering: true }),
      },
    }),
    ...(isPreview && { isPreview }),
    ...(steps.some(({ response }) => isMarkdown(response)) && { contentFormat: "markdown" }),
    turns,
  };
}

/**
 * Returns the part of a turn that continues the chat: the visitor's message, a call, a payment, or the time that
 * passed.
 */
function wayOf({ reply, createdAt, reports }: Omit<HeldStep, "response">, before: HeldStep): Partial<Turn> {
  const type = textAt(reply, "type");
  if (type === "timeout" || type === "wait")
    return { passes: durationText(createdAt.getTime() - before.createdAt.getTime()) };
  const check = reports.find((report) => report?.kind === "paymentCheck");
  if (type === "payment" || check) return { pays: check?.status ?? "succeeded" };
  const text = textAt(reply, "text");
  const isCall = listAt(before.response, "clientSideActions").some(
    (action) => textAt(action, "type") === "listenForWebhook",
  );
  if (isCall && text !== undefined) return { calls: parseJsonOr(text, text) };
  return { say: messageOf(reply) };
}

/**
 * Returns the reports up to the first report that was not stored. Later reports are omitted because earlier effects
 * would receive them.
 */
function reportsOf(reports: HeldStep["reports"]): WrittenReport[] {
  // Test conversations need no reports of linked flows, payment checks or prepared payments.
  const written = reports
    .filter((one) => one?.kind !== "linkedFlow" && one?.kind !== "paymentCheck" && !isSecret(one))
    .map((one) => one && writtenReport(one));
  const lost = written.indexOf(undefined);
  return (lost < 0 ? written : written.slice(0, lost)).filter((one) => one !== undefined);
}

/** Whether the report contains the secret of a visitor's payment. */
function isSecret(report: Report | undefined): boolean {
  return report !== undefined && "paymentIntentSecret" in report;
}

function messageOf(reply: unknown): NonNullable<Turn["say"]> | null {
  if (!isJsonObject(reply)) return null;
  const { type, text, url, command, replyId, attachedFileUrls } = reply;
  if (type === "audio" && typeof url === "string") return { type, url };
  if (type === "command" && typeof command === "string") return { type, command };
  if (type !== "text" || typeof text !== "string") return null;
  const files = Array.isArray(attachedFileUrls) ? attachedFileUrls.filter((each) => typeof each === "string") : [];
  if (typeof replyId !== "string" && files.length === 0) return text;
  return {
    type,
    text,
    ...(typeof replyId === "string" && { metadata: { replyId } }),
    ...(files.length > 0 && { attachedFileUrls: files }),
  };
}

function isMarkdown(response: unknown): boolean {
  return listAt(response, "messages").some((message) => valueAt(message, "content", "markdown") !== undefined);
}
