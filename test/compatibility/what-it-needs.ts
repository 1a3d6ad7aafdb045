import { valueAt } from "../support/client.ts";

/** The part of a step that the client reads. */
export type Reply = {
  readonly messages: readonly Bubble[];
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly clientSideActions: readonly Action[];
  readonly logs: readonly unknown[] | undefined;
  readonly lastMessageNewFormat: string | undefined;
  readonly progress: number | undefined;
};

export type Bubble = { readonly id: string; readonly type: string; readonly content: unknown };

export type Action = {
  readonly type: string;
  readonly payload: unknown;
  readonly lastBubbleBlockId: string | undefined;
  readonly expectsDedicatedReply: boolean;
};

export type Started = Reply & {
  readonly sessionId: string;
  readonly resultId: string | undefined;
  readonly typebot: { readonly id: string; readonly publishedAt: string | undefined };
  readonly remembers: boolean;
};

/** Thrown when the client would end with a blank page, or with bubbles that never appear. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Checks the start response for the fields that the client needs, and returns it. */
export function checkStart(body: unknown, { isPreview }: { isPreview: boolean }): Started {
  const text = (path: string): string => {
    const value = valueAt(body, path);
    if (typeof value !== "string" || value === "") throw new Crash(`${path} is missing`);
    return value;
  };
  const version = text("typebot.version");
  // Any other version stops the client.
  if (!["3", "4", "5", "6", "6.1"].includes(version)) throw new Crash(`typebot.version ${version} is unknown`);
  for (const part of ["typebot.theme", "typebot.settings"]) {
    if (!isObject(valueAt(body, part))) throw new Crash(`${part} is missing: blank page`);
  }
  const remembers = valueAt(body, "typebot.settings.general.rememberUser.isEnabled") === true;
  // Without this date, or after a change of the date, the client shows old bubbles but sends answers to the new
  // session.
  const publishedAt = isPreview ? undefined : text("typebot.publishedAt");
  return {
    ...checkStep(body),
    sessionId: sessionIdOf(text("sessionId")),
    resultId: isPreview ? undefined : text("resultId"),
    typebot: { id: text("typebot.id"), publishedAt },
    remembers,
  };
}

/** Checks a step of a chat for the fields that the client needs, and returns it. */
export function checkStep(body: unknown): Reply {
  if (!isObject(body)) throw new Crash("The answer is no object: stuck");
  const messages = valueAt(body, "messages");
  if (!Array.isArray(messages)) throw new Crash("messages is missing: blank page");
  const bubbles = messages.map(checkBubble);
  const input = valueAt(body, "input") ?? undefined;
  const actions = (listAt(body, "clientSideActions") ?? []).map(checkAction);
  checkOrder(bubbles, actions);
  const progress = valueAt(body, "progress") ?? undefined;
  if (progress !== undefined && !(typeof progress === "number" && progress >= 0 && progress <= 100))
    throw new Crash(`progress ${progress} is no width`);
  const format = valueAt(body, "lastMessageNewFormat") ?? undefined;
  return {
    messages: bubbles,
    input: input === undefined ? undefined : checkInput(input),
    clientSideActions: actions,
    logs: listAt(body, "logs"),
    lastMessageNewFormat: typeof format === "string" ? format : undefined,
    progress: typeof progress === "number" ? progress : undefined,
  };
}

const bubbleTypes = ["text", "image", "video", "audio", "embed", "custom-embed"];

function checkBubble(message: unknown): Bubble {
  const id = valueAt(message, "id");
  const type = valueAt(message, "type");
  const content = valueAt(message, "content");
  if (typeof id !== "string") throw new Crash("A bubble without id: actions never run");
  if (typeof type !== "string" || !bubbleTypes.includes(type)) throw new Crash(`Bubbles of type ${type} are unknown`);
  if (!isObject(content)) throw new Crash("A bubble without content");
  if (type !== "text") return { id, type, content };
  const richText = valueAt(content, "richText");
  if (valueAt(content, "type") !== "richText" || !Array.isArray(richText))
    throw new Crash("A text that is not richText is drawn empty");
  for (const element of richText) {
    // Other known clients stop at a leaf without an element at the top level.
    if (!Array.isArray(valueAt(element, "children"))) throw new Crash("A rich text element without children");
  }
  return { id, type, content };
}

const inputTypes = [
  "text input",
  "number input",
  "email input",
  "url input",
  "phone number input",
  "date input",
  "time input",
  "choice input",
  "picture choice input",
  "rating input",
  "file input",
  "payment input",
  "cards",
];
const withItems = ["choice input", "picture choice input", "cards"];

function checkInput(input: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(input)) throw new Crash("An input that is no object");
  const { id, type, items } = input;
  if (typeof id !== "string") throw new Crash("An input without id");
  if (typeof type !== "string" || !inputTypes.includes(type)) throw new Crash(`Inputs of type ${type} are unknown`);
  if (withItems.includes(type) && !Array.isArray(items)) throw new Crash(`A ${type} without items`);
  // With a search field but without this flag, every option of a multiple choice starts hidden.
  const options = (name: string) => valueAt(input, `options.${name}`);
  const isSearched = options("isMultipleChoice") === true && options("isSearchable") === true;
  if (isSearched && options("areInitialSearchButtonsVisible") === undefined)
    throw new Crash("A multiple choice with search whose options are all hidden");
  return input;
}

/** The only action types that the client supports. It recognises all but two of them by a field. */
const actionTypes = [
  "scriptToExecute",
  "setVariable",
  "wait",
  "redirect",
  "httpRequestToExecute",
  "stream",
  "streamOpenAiChatCompletion",
  "listenForWebhook",
  "startPropsToInject",
  "googleAnalytics",
  "pixel",
  "chatwoot",
  "codeToExecute",
];

function checkAction(action: unknown): Action {
  const type = valueAt(action, "type");
  if (typeof type !== "string" || !actionTypes.includes(type)) throw new Crash(`Actions of type ${type} are unknown`);
  if (type === "listenForWebhook") throw new Crash("The client opens a socket to somebody else's server, and is stuck");
  const payload = valueAt(action, type);
  if (payload === undefined || payload === null) throw new Crash(`An action without ${type} is not found`);
  const last = valueAt(action, "lastBubbleBlockId") ?? undefined;
  return {
    type,
    payload,
    lastBubbleBlockId: typeof last === "string" ? last : undefined,
    expectsDedicatedReply: valueAt(action, "expectsDedicatedReply") === true,
  };
}

function checkOrder(bubbles: readonly Bubble[], actions: readonly Action[]): void {
  let reached = 0;
  for (const { type, lastBubbleBlockId, expectsDedicatedReply } of actions) {
    if (lastBubbleBlockId === undefined) {
      if (reached > 0) throw new Crash(`The action ${type} without a bubble comes after one with`);
      if (expectsDedicatedReply && bubbles.length > 0)
        throw new Crash(`The action ${type} reports before the bubbles: typing dots for ever`);
      continue;
    }
    const place = bubbles.findIndex(({ id }, index) => index + 1 >= reached && id === lastBubbleBlockId);
    if (place < 0) throw new Crash(`The action ${type} names a bubble out of order, or none of this answer`);
    reached = place + 1;
    if (expectsDedicatedReply && place !== bubbles.length - 1)
      throw new Crash(`The action ${type} expects a reply, but does not name the last bubble`);
  }
  const reporting = actions.filter(({ expectsDedicatedReply }) => expectsDedicatedReply);
  if (reporting.length > 1 || (reporting.length === 1 && actions.at(-1) !== reporting[0]))
    throw new Crash("Only the last action of an answer may expect a reply");
}

function sessionIdOf(sessionId: string): string {
  // Known clients cut ids at their hyphens.
  if (!/^[A-Za-z0-9_]+$/.test(sessionId)) throw new Crash(`The session id ${sessionId} does not survive`);
  return sessionId;
}

function listAt(body: unknown, path: string): readonly unknown[] | undefined {
  const value = valueAt(body, path);
  return Array.isArray(value) ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
