import { clearTheme } from "../../../src/core/theme/clear.ts";
import type { Json } from "../../../src/web/conversation/read.ts";
import type { Cell, CellPlan, State } from "./cell.ts";
import { merge, settingsOf, themeOf, translated } from "./looks.ts";
import { says } from "./subjects/make.ts";

/** Returns the plan of a cell's page: all responses of the service, and the visitor's actions. */
export function planOf({ subject, state, look, frame }: Cell, id: string, origin: string): CellPlan {
  const { messages = [says("And this?")], input, acts = [], actsSend = false } = subject;
  const bot = {
    id,
    version: "6.1",
    theme: merge(frame?.isClear ? clearTheme : themeOf(look), subject.theme ?? {}),
    settings: merge(settingsOf(look), subject.settings ?? {}),
    publishedAt: "2026-01-01T00:00:00.000Z",
  };
  const common = { createdAt: "2026-01-01T09:30:00.000Z", clientSideActions: [], logs: [], progress: 30 };
  const start = {
    sessionId: id,
    resultId: `result-${id}`,
    bot,
    messages,
    ...(input && { input }),
    ...common,
    ...subject.step,
  };
  const end = { messages: [says("Noted, thank you.")], ...common, progress: 100 };
  const refusal = { ...says("That does not fit. Once more, please."), id: input?.["id"] };
  const plan: CellPlan = {
    state,
    start,
    acts,
    actsSend,
    service: subject.service ?? serviceIn(state),
    next: state === "ended" ? end : { ...end, clientSideActions: [awaited], progress: 60 },
    refusal: { messages: [refusal], input, ...common },
    remembered: subject.isRemembered ? rememberedOf(id, { bot, start, end }) : undefined,
  };
  const text = JSON.stringify(translated(plan, look)).replaceAll("https://gallery.invalid", origin);
  return JSON.parse(text);
}

function serviceIn(state: State): CellPlan["service"] {
  if (state === "refused") return "refuses";
  if (state === "busy") return "hangs";
  return state === "offline" ? "offline" : "answers";
}

/** An input that waits for an external event, so that the chat has not ended and asks no question. */
const awaited = { type: "listenForWebhook", listenForWebhook: {}, expectsDedicatedReply: true };

function rememberedOf(id: string, { bot, start, end }: { bot: Json; start: Json; end: Json }): Json {
  const reply = { type: "text", text: "Ana" };
  return { id, resultId: `result-${id}`, isEnded: true, bot, steps: [start, { ...end, reply }], progress: 100 };
}
