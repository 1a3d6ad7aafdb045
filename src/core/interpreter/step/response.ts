import { authorsDetails, type StepLog } from "../program/outcome.ts";
import { progressOf } from "./progress.ts";
import type { Step } from "./step.ts";
import { dynamicThemeOf } from "./theme.ts";

/** A step's response to its caller. */
export type StepResponse = {
  readonly messages: readonly unknown[];
  readonly input?: unknown;
  readonly clientSideActions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly dynamicTheme?: unknown;
  readonly lastMessageNewFormat?: string;
  /** For a step whose answer the visitor's client drew while it was streamed: its text, as it was drawn. */
  readonly streamedText?: string;
  readonly progress: number;
};

/** The step's response. Updates the step's progress. Logs that may hold secrets are left out. */
export function responseOf(step: Step, { isEnded }: { isEnded: boolean }): StepResponse {
  const { record, context } = step;
  const dynamicTheme = dynamicThemeOf(step);
  step.progress = progressOf(step, { isEnded });
  return {
    messages: record.messages,
    ...(record.input && { input: record.input }),
    clientSideActions: record.actions,
    logs: record.logs.filter((log) => !(log.isPrivate && context.isLive)).map((log) => shownLog(log, context)),
    ...(dynamicTheme && { dynamicTheme }),
    ...(record.lastMessageNewFormat !== undefined && { lastMessageNewFormat: record.lastMessageNewFormat }),
    ...(record.streamedText !== undefined && { streamedText: record.streamedText }),
    progress: step.progress,
  };
}

function shownLog(
  { isPrivate: _, textInsteadAt: __, forAuthors, ...log }: StepLog,
  { isLive }: Step["context"],
): Omit<StepLog, "isPrivate"> {
  if (isLive || forAuthors === undefined) return log;
  const details = authorsDetails({ ...log, forAuthors });
  return details === undefined ? log : { ...log, details };
}
