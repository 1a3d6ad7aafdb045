import { isJsonObject, type JsonObject, valueAt } from "../flow.ts";
import { authorsDetails, type StepLog } from "../program/outcome.ts";
import type { Program, ShownBot } from "../program/program.ts";
import { progressOf } from "./progress.ts";
import { currentFrame, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/**
 * A step's response to its caller. As text it has only the keys with a value: choosing them here would cost a copy
 * each.
 */
export type StepResponse = {
  readonly messages: readonly unknown[];
  readonly input?: unknown;
  readonly clientSideActions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly dynamicTheme?: unknown;
  /** For a step whose answer the visitor's client drew while it was streamed: its text, as it was drawn. */
  readonly streamedText?: string | undefined;
  /** How many of its messages and actions are of steps before it, which the client was not shown. */
  readonly repeated?: { readonly messages: number; readonly clientSideActions: number } | undefined;
  /** When the chat continues on its own. Absent: it waits forever. */
  readonly goesOnAt?: string | undefined;
  readonly progress: number;
  readonly lastMessageNewFormat?: string | undefined;
};

/** The step's response. Updates the step's progress. Logs that may hold secrets are left out. */
export function responseOf(step: Step, { isEnded }: { isEnded: boolean }): StepResponse {
  const { record, context } = step;
  const dynamicTheme = dynamicThemeOf(step);
  step.progress = progressOf(step, { isEnded });
  const { repeated } = record;
  return {
    messages: repeated ? [...repeated.messages, ...record.messages] : record.messages,
    input: record.input,
    clientSideActions: repeated ? [...repeated.actions, ...record.actions] : record.actions,
    logs: record.logs.length === 0 ? record.logs : shownLogs(record.logs, context),
    dynamicTheme,
    streamedText: record.streamedText,
    repeated: repeated && { messages: repeated.messages.length, clientSideActions: repeated.actions.length },
    goesOnAt: step.timer && new Date(step.timer.due).toISOString(),
    progress: step.progress,
    lastMessageNewFormat: record.lastMessageNewFormat,
  };
}

function shownLogs(logs: readonly StepLog[], context: Step["context"]): Omit<StepLog, "isPrivate">[] {
  return logs.filter((log) => !(log.isPrivate && context.isLive)).map((log) => shownLog(log, context));
}

function shownLog(
  { isPrivate: _, textInsteadAt: __, reason: ___, blockId: ____, forAuthors, ...log }: StepLog,
  { isLive }: Step["context"],
): Omit<StepLog, "isPrivate"> {
  if (isLive || forAuthors === undefined) return log;
  const details = authorsDetails({ ...log, forAuthors });
  return details === undefined ? log : { ...log, details };
}

/** The addresses of the theme that depend on variables. */
function dynamicThemeOf(step: Step): Record<string, string> | undefined {
  const found = step.frames.at(-1)?.program.dynamicTheme ?? [];
  if (found.length === 0) return undefined;
  const view = viewOf(step);
  return Object.fromEntries(found.map(([name, url]) => [name, view.text(url)]));
}

/** The tag manager's id in each dialect; it is stored as `googleTagManagerId`. */
type TagManagerKey = "tagManagerId" | "googleTagManagerId";

/**
 * `hidesBranding`: existing clients draw their vendor's badge unless a setting turns it off. `language`: that of the
 * bot's texts.
 */
export function botOf(
  step: Step,
  tagManagerKey: TagManagerKey,
  { hidesBranding = false, language }: { hidesBranding?: boolean; language?: string | undefined } = {},
): ShownBot {
  const { program } = currentFrame(step);
  const { flow, shownBots } = program;
  const name = `${tagManagerKey} ${hidesBranding} ${language}`;
  const known = shownBots.get(name);
  if (known) return known;
  const theme = flow.theme ?? {};
  const visible = inLanguage(visibleSettings(program, tagManagerKey), language);
  const settings = hidesBranding ? unbranded(visible) : visible;
  const view = viewOf(step);
  const version = flow.version ?? (program.isLegacy ? "3" : "6");
  const shown = { version, theme: view.deep(theme), settings: view.deep(settings) };
  if (!JSON.stringify([theme, settings]).includes("{{")) shownBots.set(name, shown);
  return shown;
}

/** The guessed language is used for settings that name none. */
function inLanguage(settings: JsonObject, language: string | undefined): JsonObject {
  const general = valueAt(settings, "general");
  if (language === undefined || valueAt(general, "language")) return settings;
  return { ...settings, general: { ...(isJsonObject(general) && general), language } };
}

function unbranded(settings: JsonObject): JsonObject {
  const general = valueAt(settings, "general");
  return { ...settings, general: { ...(isJsonObject(general) && general), isBrandingEnabled: false } };
}

/**
 * The settings for the page: never `security` (except one field), `messenger`, `publicShare`, and head code, which is
 * an action of its own. Unknown keys of the other sections are sent.
 */
function visibleSettings({ flow, settings }: Program, tagManagerKey: TagManagerKey): JsonObject {
  const visible: Record<string, unknown> = {};
  // Existing clients know nothing of `answers`.
  const sections = ["general", "typingEmulation", ...(tagManagerKey === "tagManagerId" ? ["answers"] : [])];
  for (const section of sections) {
    const value = valueAt(flow.settings, section);
    if (isJsonObject(value)) visible[section] = value;
  }
  // Pages that embed the chat need this field.
  if (settings.security?.isAuthorCodeDisabled) visible["security"] = { isAuthorCodeDisabled: true };
  const metadata = valueAt(flow.settings, "metadata");
  if (!isJsonObject(metadata)) return visible;
  const { customHeadCode: _, googleTagManagerId, ...rest } = metadata;
  return {
    ...visible,
    metadata: { ...rest, ...(googleTagManagerId !== undefined && { [tagManagerKey]: googleTagManagerId }) },
  };
}
