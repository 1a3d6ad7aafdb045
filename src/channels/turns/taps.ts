import type { Act, Channel, ChoiceState, ProviderMessage } from "../../core/channels/channel.ts";
import { piecesOfSteps } from "../../core/channels/index.ts";
import type { Texts } from "../../core/channels/texts.ts";
import { type JsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";
import { isId } from "../../platform/ids.ts";
import { listAt } from "./passed-over.ts";
import type { PressedSending } from "./taps.sql.ts";

/**
 * Returns the message id in a token of the form `<sending>.<index>`, or `<sending>.<turn>.<index>` after the buttons
 * have changed. Returns undefined for any other token.
 */
export function sendingOf(token: string): string | undefined {
  const [id = "", ...numbers] = token.split(".");
  const isOurs =
    isId(id) && numbers.length >= 1 && numbers.length <= 2 && numbers.every((one) => /^\d{1,6}$/.test(one));
  return isOurs ? id : undefined;
}

/** The meaning of a press on a button, for the active chat. */
export type Press =
  | { readonly kind: "reply"; readonly message: MessageBody }
  /** The question's message is changed to another form, without a step. */
  | { readonly kind: "shown"; readonly choices: JsonObject; readonly message: ProviderMessage | undefined }
  /** The chat no longer asks the question. */
  | { readonly kind: "stale" };

/** The parts of a chat that are needed to render a changed question. */
type PressedPlace = { readonly channel: Channel; readonly isGroup: boolean; texts(): Promise<Texts> };

/**
 * Interprets a press on a button. `waiting` contains the input and the session of the active chat; it is undefined
 * without an active chat.
 */
export async function pressOn(
  place: PressedPlace,
  { token, sending }: { readonly token: string; readonly sending: PressedSending },
  waiting: { readonly sessionId: string; readonly input: unknown } | undefined,
): Promise<Press> {
  const act = actIn(sending.choices, token);
  const step: unknown = sending.response === null ? undefined : JSON.parse(sending.response);
  const inputId = textAt(step, "input", "id");
  const isAsked =
    act !== undefined &&
    waiting?.sessionId === sending.sessionId &&
    inputId !== undefined &&
    inputId === textAt(waiting.input, "id");
  if (!isAsked) return { kind: "stale" };
  const state = stateIn(sending.choices);
  switch (act.kind) {
    case "reply":
      return { kind: "reply", message: replyWith(act.text, act.replyId) };
    case "skip":
      return { kind: "reply", message: null };
    case "send": {
      const ids = offeredIds(valueAt(step, "input")).filter((id) => state.chosen.includes(id));
      return { kind: "reply", message: replyWith(ids.join(", "), undefined) };
    }
    case "mark": {
      const isChosen = state.chosen.includes(act.itemId);
      const chosen = isChosen ? state.chosen.filter((id) => id !== act.itemId) : [...state.chosen, act.itemId];
      return await shownWith(place, { sending, step, state: { ...state, chosen } });
    }
    case "page":
      return await shownWith(place, { sending, step, state: { ...state, page: act.page } });
    default:
      return act satisfies never;
  }
}

function replyWith(text: string, replyId: string | undefined): MessageBody {
  return { type: "text", text, ...(replyId !== undefined && { metadata: { replyId } }) };
}

/**
 * Returns the question with another page or other marked choices. Its buttons get new tokens. The question's original
 * tokens and those of the last `turnsKept` changes stay valid.
 */
async function shownWith(
  { channel, isGroup, texts }: PressedPlace,
  { sending, step, state }: { readonly sending: PressedSending; readonly step: unknown; readonly state: ChoiceState },
): Promise<Press> {
  const known = sending.choices ?? {};
  const turn = Number(valueAt(known, "state", "turn") ?? 0) + 1;
  const choices = { ...known, state: { page: state.page, chosen: [...state.chosen], turn } };
  const piece = piecesOfSteps([
    {
      messages: listAt(step, "messages"),
      clientSideActions: listAt(step, "clientSideActions"),
      input: valueAt(step, "input"),
    },
  ]).at(-1);
  if (piece?.kind !== "question") return { kind: "shown", choices, message: undefined };
  const rendered = channel.render(piece, {
    ...{ texts: await texts(), isGroup, state },
    token: (index) => `${sending.id}.${turn}.${index}`,
  });
  const acts = Object.fromEntries([...rendered.acts].map(([token, act]) => [token, { ...act }]));
  return { kind: "shown", choices: { ...latestOf(choices, turn), ...acts }, message: rendered.messages.at(-1) };
}

/**
 * The number of latest changes to a question whose buttons stay valid. A contact may press an old button while new
 * buttons are being shown.
 */
const turnsKept = 10;

/**
 * Keeps the question's original buttons and those of the last `turnsKept` changes. Without this limit, a contact who
 * turns pages would add buttons endlessly.
 */
function latestOf(choices: JsonObject, turn: number): JsonObject {
  const isKept = (token: string): boolean => {
    const [, of, index] = token.split(".");
    return index === undefined || Number(of) > turn - turnsKept;
  };
  return Object.fromEntries(Object.entries(choices).filter(([token]) => isKept(token)));
}

function actIn(choices: JsonObject | null, token: string): Act | undefined {
  const found = choices !== null && Object.hasOwn(choices, token) ? choices[token] : undefined;
  const kind = textAt(found, "kind");
  switch (kind) {
    case "reply": {
      const replyId = textAt(found, "replyId");
      return { kind, text: textAt(found, "text") ?? "", ...(replyId !== undefined && { replyId }) };
    }
    case "mark":
      return { kind, itemId: textAt(found, "itemId") ?? "" };
    case "page":
      return { kind, page: Math.max(0, Number(valueAt(found, "page")) || 0) };
    case "send":
    case "skip":
      return { kind };
    default:
      return undefined;
  }
}

function stateIn(choices: JsonObject | null): ChoiceState {
  const chosen = valueAt(choices, "state", "chosen");
  return {
    page: Math.max(0, Number(valueAt(choices, "state", "page")) || 0),
    chosen: Array.isArray(chosen) ? chosen.filter((id) => typeof id === "string") : [],
  };
}

function offeredIds(input: unknown): string[] {
  return listAt(input, "items").flatMap((item) => textAt(item, "id") ?? []);
}
