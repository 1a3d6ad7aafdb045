import type { Content, ProviderMessage } from "../../core/channels/channel.ts";
import { isOfferedTitle, namesItem, toldBy } from "../../core/channels/replies.ts";
import { type Word, wordIn } from "../../core/channels/words.ts";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";
import { limits } from "../../limits/index.ts";
import { shardOf } from "../../platform/ids.ts";
import { findLastResult } from "./bots.sql.ts";
import type { Decision } from "./decision.ts";
import type { TurnEnd } from "./end-turn.sql.ts";
import { keepUnasked, replyWithFiles } from "./file-replies.ts";
import type { TurnPlace } from "./received-events.sql.ts";
import { setBlocked } from "./rows.sql.ts";
import { findPressed, type PressedSending } from "./taps.sql.ts";
import { type Press, pressOn, sendingOf } from "./taps.ts";
import {
  ageOf,
  chatContact,
  noticesFor,
  type QueuedRow,
  receivedRow,
  settingsOf,
  type TurnTools,
  textsFor,
  typedText,
  wordsOf,
} from "./turn.ts";
import { type ChatFacts, listCommands, type TurnFacts } from "./turn-facts.sql.ts";

/** The plan for the first rows in a contact's queue. */
export type Plan =
  /** The rows wait and are checked again after `ms`. */
  | { readonly kind: "wait"; readonly ms: number }
  /** The rows end without a step. */
  | { readonly kind: "end"; readonly end: RowsEnd }
  /** A step is run for one row, and the other rows are merged into this row. */
  | {
      readonly kind: "step";
      readonly rowId: string;
      readonly merged: readonly QueuedRow[];
      readonly decision: Decision;
    }
  /** The row's file is fetched again after a pause. */
  | { readonly kind: "again"; readonly row: QueuedRow }
  /** The question's message is changed to another form, without a step. */
  | {
      readonly kind: "shown";
      readonly rowId: string;
      readonly sending: PressedSending;
      readonly press: Extract<Press, { kind: "shown" }>;
    };

export type RowsEnd = Omit<TurnEnd, keyof TurnPlace>;

type Open = { readonly chat: ChatFacts; readonly step: unknown; readonly input: unknown };

/** Decides how one or more rows at the start of a contact's queue are handled. */
export async function decide(tools: TurnTools, facts: TurnFacts, rows: readonly QueuedRow[]): Promise<Plan> {
  const [head] = rows;
  if (!head) return { kind: "wait", ms: Number.POSITIVE_INFINITY };
  const { event } = head;
  const { connection, held } = tools;
  const place = { connectionId: connection.id, holder: held.holder, contactId: facts.id };
  if (event.kind === "identity") return ended([head], "done", "identity");
  if (event.kind === "blocked") {
    const { isBlocked } = event;
    await setBlocked(tools.deps.sql, { ...place, isBlocked });
    return ended([head], "done", isBlocked ? "blocked" : "unblocked");
  }
  const staleMs = settingsOf(connection).staleMinutes * 60_000;
  if (head.attempts === 0 && head.lateMs > staleMs) return ended([head], "dropped", "stale");
  const open = openChat(facts);
  const stop = rows.findIndex((row) => wordOf(tools, row, open) === "stop");
  const stopRow = rows[stop];
  if (stopRow && !facts.isOptedOut) return stopped(tools, facts, { rows: rows.slice(0, stop + 1), open });
  const word = wordOf(tools, head, open);
  if (facts.isOptedOut && word !== "start" && word !== "restart") return ended([head], "dropped", "opted_out");
  if (facts.isBlocked) {
    await setBlocked(tools.deps.sql, { ...place, isBlocked: false });
  }
  if (word === "start" && facts.isOptedOut) return ended([head], "done", "opted_in", { optedOut: false });
  if (word === "restart") return await started(tools, facts, { row: head, open, isRestart: true });
  if (event.kind === "tap") return await tapped(tools, facts, { row: head, event, open });
  if (!open) return await started(tools, facts, { row: head, open, isRestart: false });
  return await replied(tools, facts, { rows, head, content: event.content, open });
}

/** Returns the active chat, or undefined if the chat has ended or has expired without a message. */
export function openChat({ session: chat }: TurnFacts): Open | undefined {
  if (!chat || chat.isOver) return undefined;
  const step: unknown = JSON.parse(chat.response);
  const input = valueAt(step, "input");
  // The chat does not expire while it waits for something other than an input.
  const isExpired = input !== undefined && chat.expiryMs !== null && chat.sinceStepMs > chat.expiryMs;
  return isExpired ? undefined : { chat, step, input };
}

function wordOf({ connection }: TurnTools, row: QueuedRow, open: Open | undefined): Word | undefined {
  const text = typedText(row);
  if (text === undefined || (open && isOfferedTitle(text, open.input))) return undefined;
  return wordIn(text, wordsOf(connection));
}

export function ended(
  rows: readonly QueuedRow[],
  state: "done" | "dropped",
  reason: string,
  more: Partial<RowsEnd> = {},
): Extract<Plan, { kind: "end" }> {
  return { kind: "end", end: { rows: rows.map(receivedRow), state, reason, notices: [], ...more } };
}

async function stopped(
  tools: TurnTools,
  facts: TurnFacts,
  { rows, open }: { readonly rows: readonly QueuedRow[]; readonly open: Open | undefined },
): Promise<Plan> {
  return ended(rows, "done", "opted_out", {
    optedOut: true,
    notices: await noticesFor(tools, facts, "stopped"),
    ...(open && { ends: open.chat.id }),
  });
}

/**
 * Handles a press on a button that was sent to this contact. For any other token, the button's text is treated as a
 * message.
 */
async function tapped(
  tools: TurnTools,
  facts: TurnFacts,
  {
    row,
    event,
    open,
  }: {
    readonly row: QueuedRow;
    readonly event: Extract<QueuedRow["event"], { kind: "tap" }>;
    readonly open: Open | undefined;
  },
): Promise<Plan> {
  const { connection, deps } = tools;
  const { channel } = connection;
  const sendingId = sendingOf(event.token);
  const sending =
    sendingId === undefined
      ? undefined
      : await findPressed(deps.sql, { connectionId: connection.id, contactId: facts.id, sendingId });
  const answer = (words: string | null): void => {
    const { noticeId } = event;
    const message = noticeId === undefined ? undefined : channel.signs.answerTap?.(noticeId, words);
    if (message) tools.sign(facts.id, message);
  };
  if (!sending) {
    answer(null);
    const title = event.title ?? "";
    if (title === "") return ended([row], "dropped", "stale_tap");
    const content: Content = { kind: "text", text: title };
    if (!open) return await started(tools, facts, { row, open, isRestart: false, content });
    return await replied(tools, facts, { rows: [row], head: row, content, open });
  }
  const place = { channel, isGroup: facts.kind === "group", texts: () => textsFor(tools, facts) };
  const waiting = open && { sessionId: open.chat.id, input: open.input };
  const press = await pressOn(place, { token: event.token, sending }, waiting);
  if (press.kind === "stale") {
    answer((await textsFor(tools, facts)).oldButton);
    return ended([row], "dropped", "stale_tap");
  }
  const isChanged = press.kind === "shown" && press.message !== undefined;
  if (isChanged && sending.isUnderWay && ageOf(facts, row) < underWayMs) return { kind: "wait", ms: lookSoonMs };
  answer(null);
  if (press.kind === "shown") return { kind: "shown", rowId: row.id, sending, press };
  if (!open) return ended([row], "dropped", "stale_tap");
  return step(tools, facts, { row, merged: [], open, message: press.message });
}

/**
 * The longest time that a press waits for the provider's id of a message that is still being sent. The id is needed to
 * change the message.
 */
const underWayMs = 10_000;
const lookSoonMs = 100;

/**
 * Creates the sign that shows a question with other buttons. Returns undefined if this is not possible, for example
 * because the message has no provider id yet.
 */
export function changeSign(
  { connection }: TurnTools,
  { sending, press }: Extract<Plan, { kind: "shown" }>,
): ProviderMessage | undefined {
  if (press.message === undefined || sending.providerId === null) return undefined;
  return connection.channel.signs.changeButtons?.(sending.providerId, press.message);
}

type Start = {
  readonly row: QueuedRow;
  readonly open: Open | undefined;
  readonly isRestart: boolean;
  readonly content?: Content;
};

/**
 * Handles the first message of a chat, or a message that restarts the chat. The connection's bot chooser selects the
 * bot that answers.
 */
export async function started(tools: TurnTools, facts: TurnFacts, start: Start): Promise<Plan> {
  const { row, open, isRestart } = start;
  const { connection, deps } = tools;
  const content = start.content ?? contentOf(row);
  const payload = content?.kind === "command" && content.command === "start" ? content.payload : "";
  const links = connection.settings["deepLinks"];
  const isLink = payload !== "" && Array.isArray(links) && links.some((one) => isSameId(one, payload));
  const text = content && conditionText(content);
  const { bot, stopped: stoppedBot } = await tools.bots.choose(connection, { text, ...(isLink && { named: payload }) });
  const again = facts.isOptedOut ? ({ optedOut: false } as const) : {};
  const ends = open ? { ends: open.chat.id } : {};
  if (!bot) {
    const notices = facts.knowsOfNoBot ? [] : await noticesFor(tools, facts, "noBot");
    const why = stoppedBot === undefined ? "no_bot" : `no_bot ${patternStopped(stoppedBot)}`;
    return ended([row], "dropped", why, { notices, toldNoBot: notices.length > 0, ...again, ...ends });
  }
  const told = isRestart || !content ? undefined : toldBy(content, { ...nothingWaits, titleCharacters: 64 });
  const said = told?.kind === "reply" ? told.message : null;
  const decision: Decision = {
    act: "start",
    bot: { id: bot.id, publicId: bot.publicId },
    resultId: bot.remembersUser ? await findLastResult(deps.sql, { botId: bot.id, contactId: facts.id }) : null,
    ...cut(said === "" ? null : said),
    contact: chatContact(tools, facts, payload),
    expiryHours: bot.expiryHours,
    ...(stoppedBot !== undefined && { reason: patternStopped(stoppedBot) }),
    ...ends,
    ...again,
  };
  return { kind: "step", rowId: row.id, merged: [], decision };
}

/** Names the bot whose pattern took too long, for the people who read the conversation. */
function patternStopped(botId: string): string {
  return `pattern_stopped ${botId}`;
}

const nothingWaits = { input: undefined, commands: new Set<string>() };

function isSameId(one: unknown, other: string): boolean {
  return typeof one === "string" && one.toLowerCase() === other.toLowerCase();
}

function contentOf({ event }: QueuedRow): Content | undefined {
  if (event.kind === "message") return event.content;
  return event.kind === "tap" && event.title !== undefined ? { kind: "text", text: event.title } : undefined;
}

function conditionText(content: Content): string | undefined {
  if (content.kind === "text") return content.text;
  if (content.kind === "media") return content.caption;
  if (content.kind === "command") return `/${content.command}${content.payload && ` ${content.payload}`}`;
  return undefined;
}

type Reply = {
  readonly rows: readonly QueuedRow[];
  readonly head: QueuedRow;
  readonly content: Content;
  readonly open: Open;
};

/** Handles a message in an active chat. */
async function replied(tools: TurnTools, facts: TurnFacts, { rows, head, content, open }: Reply): Promise<Plan> {
  const { connection, deps } = tools;
  const { chat, input } = open;
  const age = ageOf(facts, head);
  if (!takesReply(input)) {
    const holdMs = limits.channels.holdSeconds * 1_000;
    const isOver = age > holdMs || rows.some((row) => wordOf(tools, row, open) === "restart");
    return isOver ? ended([head], "dropped", "not_asked") : { kind: "wait", ms: Math.min(lookMs, holdMs - age + 1) };
  }
  if (facts.pending > limits.channels.pendingPerContact) return { kind: "wait", ms: lookMs };
  const { early } = settingsOf(connection);
  const isEarly = chat.sinceAskedMs === null || age > chat.sinceAskedMs;
  if (isEarly && early === "ignore") return ended([head], "dropped", "early");
  const titleCharacters = connection.channel.capabilities.buttons.title;
  if (isEarly && content.kind === "text" && namesItem(content.text, input, titleCharacters) === false)
    return ended([head], "dropped", "early");
  const gathered = gather(tools, facts, { rows, head, content, input });
  if ("ms" in gathered) return { kind: "wait", ms: gathered.ms };
  const isCommand = gathered.content.kind === "command";
  const commands = isCommand ? await listCommands(deps.sql, { id: chat.id, shard: shardOf(chat.id) }) : [];
  const told = toldBy(gathered.content, { input, commands: new Set(commands), titleCharacters });
  if (content.kind === "media" && told.kind === "file") {
    const reply = await replyWithFiles(tools, facts, { rows, head, chat, input, as: told.as });
    if (reply.kind === "wait" || reply.kind === "again") return reply;
    if (reply.kind === "reply") return step(tools, facts, { ...reply, open });
    const notices = await noticesFor(tools, facts, "mediaFailed");
    return ended([reply.row], "done", "media_failed", { notices });
  }
  if (content.kind === "media" && settingsOf(connection).keepMedia) {
    await keepUnasked(tools, facts, { row: head, content, chat });
  }
  const message = told.kind === "reply" ? told.message : undefined;
  if (message === undefined) {
    const isNew = facts.unsupportedSessionId !== chat.id;
    const notices = isNew ? await noticesFor(tools, facts, "unsupported") : [];
    return ended([head], "dropped", "unsupported", { notices, ...(isNew && { toldUnsupportedIn: chat.id }) });
  }
  return step(tools, facts, { row: gathered.row, merged: gathered.merged, open, message });
}

/** How often a waiting row is checked again. */
const lookMs = 1_000;

/** Whether a contact's message can answer the input. A payment is answered by its payment provider. */
function takesReply(input: unknown): boolean {
  return input !== undefined && textAt(input, "type") !== "payment input";
}

type Gathered = { readonly row: QueuedRow; readonly merged: readonly QueuedRow[]; readonly content: Content };

/**
 * Merges consecutive texts that arrive within the connection's gathering time into one reply. Any other message ends
 * the reply immediately. Returns the remaining wait in `ms` if more texts may follow.
 */
function gather(
  tools: TurnTools,
  facts: TurnFacts,
  { rows, head, content, input }: Omit<Reply, "open"> & { readonly input: unknown },
): Gathered | { readonly ms: number } {
  const alone = { row: head, merged: [], content };
  const gatherMs = settingsOf(tools.connection).gatherSeconds * 1_000;
  if (gatherMs === 0 || content.kind !== "text" || Array.isArray(valueAt(input, "items"))) return alone;
  const texts: QueuedRow[] = [];
  for (const row of rows) {
    const isText = row.event.kind === "message" && row.event.content.kind === "text";
    const before = texts.at(-1);
    const isNear = before === undefined || row.arrivedAt - before.arrivedAt <= gatherMs;
    if (!isText || !isNear || texts.length === limits.channels.gathered) break;
    if (wordIn(typedText(row) ?? "", wordsOf(tools.connection)) !== undefined) break;
    texts.push(row);
  }
  const last = texts.at(-1);
  if (!last) return alone;
  const isWhole = texts.length < rows.length || texts.length === limits.channels.gathered;
  const restMs = gatherMs - ageOf(facts, last);
  if (!isWhole && restMs > 0) return { ms: restMs };
  const text = texts.map((row) => typedText(row) ?? "").join("\n");
  return { row: last, merged: texts.slice(0, -1), content: { kind: "text", text } };
}

function step(
  tools: TurnTools,
  facts: TurnFacts,
  {
    row,
    merged,
    open,
    message,
  }: {
    readonly row: QueuedRow;
    readonly merged: readonly QueuedRow[];
    readonly open: Open;
    readonly message: MessageBody;
  },
): Plan {
  const contact = chatContact(tools, facts);
  return {
    kind: "step",
    rowId: row.id,
    merged,
    decision: { act: "continue", sessionId: open.chat.id, ...cut(message), contact },
  };
}

/** The maximum number of bytes of a reply's text. The remaining bytes are reserved for the reply's other parts. */
const textBytes = limits.reply.bytes - 4 * 1024;

function cut(message: MessageBody): Pick<Decision, "message" | "isCut"> {
  const isText = typeof message === "object" && message?.type === "text";
  const whole = isText ? message.text : message;
  if (typeof whole !== "string") return { message };
  const text = shortened(whole);
  return { message: isText ? { ...message, text } : text, ...(text !== whole && { isCut: true }) };
}

/** Cuts a text between characters, so that it fits into a reply as JSON. */
function shortened(text: string): string {
  if (Buffer.byteLength(JSON.stringify(text)) <= textBytes) return text;
  const characters = [...text];
  let bytes = 2;
  const end = characters.findIndex((character) => {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    return bytes > textBytes;
  });
  return characters.slice(0, end).join("");
}
