import { readBot } from "./bot.ts";
import { at, flagAt, isObject, type Json, listAt, numberAt, textAt } from "./read.ts";

export type Bubble = {
  readonly id: string;
  readonly type: string;
  readonly content: unknown;
  /** Identifies a message of the service itself, which the page replaces with its own text. */
  readonly notice?: unknown;
  /** Set if the bubble shows a model's answer. */
  readonly isAnswer?: unknown;
  /** Why a model's answer is incomplete. Absent if the answer is complete. */
  readonly unfinished?: unknown;
};

/** An open input, with `options`, `items` and other fields as the API returns them. */
export type Input = Json & { readonly id: string; readonly type: string };

/** An action for the visitor's browser. The key of its payload is the value of `type`. */
export type ClientAction = Json & {
  readonly type: string;
  readonly lastBubbleBlockId?: string;
  readonly expectsDedicatedReply?: boolean;
};

/** A message of the visitor, or of the page on the visitor's behalf. */
export type Message =
  | {
      readonly type: "text";
      readonly text: string;
      readonly attachedFileUrls?: readonly string[];
      readonly metadata?: { readonly replyId: string };
    }
  | { readonly type: "audio"; readonly url: string }
  | { readonly type: "command"; readonly command: string }
  | null;

/** A message that is being sent, and its idempotency key. A message that is sent several times counts once. */
export type PendingMessage = {
  readonly message: Message;
  readonly key: string;
  /** The number of the last step that the page has received, if the service sends it. */
  readonly afterRevision?: number | undefined;
  /** Whether the message was already answered and should get another answer. */
  readonly isAgain?: boolean | undefined;
};

/** A visitor's message, in the format of a session's history. */
export type Reply = {
  readonly type: string;
  readonly text: string;
  readonly replyId: string | undefined;
  readonly files: readonly string[];
};

export type DynamicTheme = NonNullable<ReturnType<typeof readDynamicTheme>>;

/** One step of a chat: the visitor's reply and the bot's response to it. */
export type Step = Readonly<ReturnType<typeof readStep>>;

/** A chat as the API returns it: the response of a start, or a session's history. */
export type ChatSnapshot = Omit<History, "ratings"> & Partial<Pick<History, "ratings">>;

type History = Readonly<ReturnType<typeof readSession>>;

/** Converts a message to the format of a session's history. */
export function replyOf(message: Message): Reply {
  if (!message || message.type === "command") return { type: "command", text: "", replyId: undefined, files: [] };
  if (message.type === "audio") return { type: "audio", text: message.url, replyId: undefined, files: [] };
  const { text, metadata, attachedFileUrls = [] } = message;
  return { type: "text", text, replyId: metadata?.replyId, files: attachedFileUrls };
}

/** Reads a step: the response to a start or to a message, or a step of a session's history. */
export function readStep(value: unknown) {
  const input = at(value, "input");
  const messages: readonly Bubble[] = listAt(value, "messages").filter(isBubble);
  const actions: readonly ClientAction[] = listAt(value, "clientSideActions").filter(isAction);
  return {
    reply: readReply(at(value, "reply")),
    messages,
    input: isInput(input) ? input : undefined,
    actions,
    /** The reply as it is stored, if it differs from the reply as it was sent. */
    storedReply: textAt(value, "lastMessageNewFormat"),
    dynamicTheme: readDynamicTheme(at(value, "dynamicTheme")),
    /** The visitor's payment, if the chat continued without a reply. */
    paid: at(value, "paid"),
    /** The names of the reply's files, by their URLs. */
    fileNames: Object.fromEntries(
      listAt(value, "files").map((file) => [textAt(file, "url") ?? "", textAt(file, "name") ?? ""]),
    ),
    /** Whether the visitor did not answer in time. */
    isTimeOver: flagAt(value, "isTimeOver") === true,
    /** The progress in percent; undefined if the step does not include it. */
    progress: numberAt(value, "progress"),
    /** Whether the step's reply may get another answer. */
    canTryAgain: flagAt(value, "canTryAgain") === true,
    /** The time at which the chat continues without an answer. */
    goesOnAt: textAt(value, "goesOnAt"),
    /** The time of the step. A step that has just arrived contains no time, so the current time is used. */
    createdAt: textAt(value, "createdAt") ?? new Date().toISOString(),
    /** The step's number, if the service sends it. */
    revision: numberAt(value, "revision"),
  };
}

/** Reads the response of a start, or of a first step without a session. */
export function readStart(value: unknown): ChatSnapshot {
  const step = readStep(value);
  return {
    sessionId: textAt(value, "sessionId") ?? null,
    resultId: textAt(value, "resultId") ?? null,
    isEnded: step.progress === 100 && isOver(step),
    bot: readBot(at(value, "bot") ?? at(value, "typebot")),
    steps: [step],
    revision: step.revision,
  };
}

/** Reads a session's history. */
export function readSession(value: unknown) {
  const read = listAt(value, "steps").map(readStep);
  const last = read.at(-1);
  const latest = {
    dynamicTheme: readDynamicTheme(at(value, "dynamicTheme")),
    progress: numberAt(value, "progress"),
  };
  const steps: readonly Step[] = last ? [...read.slice(0, -1), { ...last, ...latest }] : [];
  return {
    sessionId: textAt(value, "id") ?? null,
    resultId: textAt(value, "resultId") ?? null,
    isEnded: at(value, "isEnded") === true,
    bot: readBot(at(value, "bot") ?? at(value, "typebot")),
    steps,
    /** The visitor's ratings of answers. */
    ratings: listAt(value, "ratings"),
    /** The number of the session's last step; undefined if the service did not send it. */
    revision: numberAt(value, "revision"),
  };
}

/** The event for which a chat waits if no input is open. */
export type Pause = "wait" | "webhook" | "embed" | "action";

/** Returns the event for which a step without an input waits, or undefined if it does not wait. */
export function pauseOf({ input, actions, messages }: Step): Pause | undefined {
  if (input) return undefined;
  const awaited = actions.find((action) => action.expectsDedicatedReply === true);
  if (awaited) {
    if (awaited.type === "wait") return "wait";
    return awaited.type === "listenForWebhook" ? "webhook" : "action";
  }
  const last = messages.at(-1);
  const isEmbed = last?.type === "custom-embed" || at(last?.content, "waitForEvent", "isEnabled") === true;
  return last && isEmbed ? "embed" : undefined;
}

/** Whether the chat waits for neither an answer nor an event after this step. */
export function isOver(step: Step): boolean {
  return step.input === undefined && pauseOf(step) === undefined;
}

function readReply(value: unknown): Reply | null {
  if (!isObject(value)) return null;
  return {
    type: textAt(value, "type") ?? "text",
    text: textAt(value, "text") ?? textAt(value, "url") ?? "",
    replyId: textAt(value, "replyId") ?? textAt(value, "metadata", "replyId"),
    files: listAt(value, "attachedFileUrls").filter((url) => typeof url === "string"),
  };
}

function readDynamicTheme(value: unknown) {
  if (!isObject(value)) return undefined;
  return {
    hostAvatarUrl: textAt(value, "hostAvatarUrl"),
    guestAvatarUrl: textAt(value, "guestAvatarUrl"),
    backgroundUrl: textAt(value, "backgroundUrl"),
  };
}

function isBubble(value: unknown): value is Bubble {
  return isObject(value) && typeof value["id"] === "string" && typeof value["type"] === "string";
}

function isInput(value: unknown): value is Input {
  return isBubble(value);
}

function isAction(value: unknown): value is ClientAction {
  return isObject(value) && typeof value["type"] === "string";
}

/**
 * Creates an idempotency key. Browsers support `crypto.randomUUID` only on pages with HTTPS and on the local machine.
 * Services in a local network lack it, and so do frames in pages without HTTPS.
 */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
