import { createServer, type Server, type ServerResponse } from "node:http";
import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import { createScripts, type Script, type ShownMessage } from "./recorder.ts";
import { createFakeFiles, type FakeFiles, parametersOf } from "./telegram-files.ts";

/**
 * Telegram's Bot API, based only on https://core.telegram.org/bots/api (read on 2026-11-29). It rejects calls as the
 * page documents, and records the messages that a phone would show.
 */
export type FakeTelegram = {
  readonly url: string;
  readonly token: string;
  /** The messages that chats have shown, in order. Typing indicators are in `signs`. */
  readonly shown: readonly ShownMessage[];
  shownTo(chat: string | number): string[];
  readonly signs: readonly { readonly method: string; readonly body: JsonObject }[];
  /** The method and status of every call, including rejected calls. The status is 0 if the call got no response. */
  readonly calls: readonly { readonly method: string; readonly status: number }[];
  /** Makes the token invalid, like the command `/revoke`. */
  revoke(): void;
  script(script: Script): void;
  readonly files: FakeFiles;
  /** Sends the update for a text message of a person. Returns the id of the update. */
  write(from: FakePerson, text: string, more?: JsonObject): Promise<number>;
  /** Sends the update for another kind of message, such as a photo, a file, or a part of an album. */
  send(from: FakePerson, part: JsonObject): Promise<number>;
  press(from: FakePerson, messageId: string, data: string): Promise<number>;
  block(from: FakePerson, isBlocked: boolean): Promise<number>;
  /** Repeats an update, as the provider does until it gets the status 200. */
  repeat(updateId: number): Promise<void>;
  /** The statuses of the responses to webhook calls. */
  readonly answered: readonly number[];
  readonly webhook: { readonly url: string; readonly secretToken: string } | undefined;
  close(): Promise<void>;
};

export type FakePerson = {
  readonly id: number;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly language?: string;
};

type Answer = { readonly status: number; readonly body: JsonObject };

const mediaKeys = ["photo", "video", "audio", "animation", "document"];
const texts = { message: 4_096, caption: 1_024, callbackData: 64, notice: 200, draft: 4_096 };

export async function startFakeTelegram({
  token = "123456:fake-token-of-a-bot-for-tests",
  username = "fake_bot",
  reach,
  port = 0,
}: {
  readonly token?: string;
  readonly username?: string;
  readonly port?: number;
  /** Returns the URL from which a file is downloaded. By default, URLs are accepted without being downloaded. */
  readonly reach?: (url: string) => string | undefined;
} = {}): Promise<FakeTelegram> {
  const shown: ShownMessage[] = [];
  const signs: { method: string; body: JsonObject }[] = [];
  const calls: { method: string; status: number }[] = [];
  const answered: number[] = [];
  const scripts = createScripts();
  const files = createFakeFiles({ ...(reach && { reach }) });
  const updates: { readonly id: number; readonly update: JsonObject }[] = [];
  const botId = Number(token.split(":")[0]);
  let isRevoked = false;
  let nextUpdateId = 5_000;
  let nextMessageId = 1;
  let webhook: { url: string; secretToken: string } | undefined;
  let polls: (() => void)[] = [];

  const deliver = async (update: JsonObject): Promise<void> => {
    for (const wake of polls) wake();
    polls = [];
    if (!webhook) return;
    const headers = { "Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": webhook.secretToken };
    const response = await fetch(webhook.url, { method: "POST", headers, body: JSON.stringify(update) });
    answered.push(response.status);
  };
  const happen = async (part: JsonObject): Promise<number> => {
    const id = nextUpdateId++;
    const update = { update_id: id, ...part };
    updates.push({ id, update });
    await deliver(update);
    return id;
  };

  const show = (method: string, body: JsonObject, parts: JsonObject = {}): Answer => {
    const id = nextMessageId++;
    const chat = String(body["chat_id"]);
    const file = mediaKeys.map((key) => body[key]).find((one) => one !== undefined);
    const text = String(body["text"] ?? body["caption"] ?? (isJsonObject(file) ? file["name"] : file) ?? "");
    shown.push({ chat, method, id: String(id), text, body });
    return ok({ message_id: id, date: 0, chat: { id: body["chat_id"], type: "private" }, text, ...parts });
  };
  const showFile = async (method: string, key: string, body: JsonObject): Promise<Answer> => {
    const { caption } = body;
    const problem =
      caption === undefined
        ? keyboardProblem(body["reply_markup"])
        : textProblem(body, "caption", texts.caption, "caption");
    if (problem) return problem;
    const taken = await files.take(key, body);
    if ("parts" in taken) return show(method, body, taken.parts);
    return taken.problem === "Request Entity Too Large" ? failure(413, taken.problem) : refused(taken.problem);
  };
  const sign = (method: string, body: JsonObject): Answer => {
    signs.push({ method, body });
    return ok(true);
  };

  const methods: Record<string, (body: JsonObject) => Answer | Promise<Answer>> = {
    getMe: () => ok({ id: botId, is_bot: true, first_name: "Fake", username }),
    setWebhook(body) {
      const url = body["url"];
      if (typeof url !== "string") return refused('Bad Request: parameter "url" is required');
      if (url !== "" && !/^https?:\/\//.test(url))
        return refused("Bad Request: bad webhook: An HTTPS URL must be provided");
      webhook = url === "" ? undefined : { url, secretToken: String(body["secret_token"] ?? "") };
      return ok(true);
    },
    deleteWebhook() {
      webhook = undefined;
      return ok(true);
    },
    getWebhookInfo: () => ok({ url: webhook?.url ?? "", has_custom_certificate: false, pending_update_count: 0 }),
    setMyCommands: () => ok(true),
    deleteMyCommands: () => ok(true),
    async getUpdates(body) {
      if (webhook) {
        return failure(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      const offset = Number(body["offset"] ?? 0);
      const left = () => updates.filter(({ id }) => id >= offset).slice(0, 100);
      if (left().length === 0) {
        const news = Promise.withResolvers<void>();
        polls.push(news.resolve);
        const timer = setTimeout(news.resolve, Math.min(Number(body["timeout"] ?? 0), 50) * 1_000);
        await news.promise;
        clearTimeout(timer);
      }
      return ok(left().map(({ update }) => update));
    },
    sendMessage: (body) => textProblem(body, "text", texts.message, "message") ?? show("sendMessage", body),
    sendPhoto: (body) => showFile("sendPhoto", "photo", body),
    sendVideo: (body) => showFile("sendVideo", "video", body),
    sendAudio: (body) => showFile("sendAudio", "audio", body),
    sendAnimation: (body) => showFile("sendAnimation", "animation", body),
    sendDocument: (body) => showFile("sendDocument", "document", body),
    sendChatAction: (body) => sign("sendChatAction", body),
    sendMessageDraft: (body) => draftProblem(body) ?? sign("sendMessageDraft", body),
    answerCallbackQuery(body) {
      if (String(body["text"] ?? "").length > texts.notice) return refused("Bad Request: MESSAGE_TOO_LONG");
      return sign("answerCallbackQuery", body);
    },
    editMessageReplyMarkup(body) {
      const id = String(body["message_id"]);
      const at = shown.findIndex((one) => one.id === id && one.chat === String(body["chat_id"]));
      const message = shown[at];
      if (!message) return refused("Bad Request: message to edit not found");
      const problem = keyboardProblem(body["reply_markup"]);
      if (problem) return problem;
      shown[at] = { ...message, body: { ...message.body, reply_markup: body["reply_markup"] } };
      return sign("editMessageReplyMarkup", body);
    },
    getFile(body) {
      const found = files.getFile(body);
      return typeof found === "string" ? refused(found) : ok(found);
    },
  };

  const answerTo = async (method: string, givenToken: string, body: JsonObject): Promise<Answer> => {
    if (givenToken !== token || isRevoked) return failure(401, "Unauthorized");
    const run = methods[method];
    if (!run) return failure(404, "Not Found: method not found");
    const needsChat = /^(?:send|edit)/.test(method);
    if (needsChat && !Number.isSafeInteger(body["chat_id"])) return refused("Bad Request: chat not found");
    return run(body);
  };

  const server = createServer(async (request, response) => {
    const [, fileToken, path = ""] = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.url ?? "") ?? [];
    if (fileToken !== undefined) {
      if (fileToken === token && !isRevoked) await files.serve(decodeURIComponent(path), response);
      else write(response, failure(401, "Unauthorized"));
      return;
    }
    const [, givenToken = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const body = await parametersOf(request);
    const act = scripts.take({ method, chat: String(body["chat_id"] ?? "") });
    if (act?.kind === "refuse") {
      calls.push({ method, status: 0 });
      response.destroy();
      return;
    }
    if (act?.kind === "answer") {
      calls.push({ method, status: act.status });
      write(response, { status: act.status, body: act.body }, act.headers);
      return;
    }
    const answer = await answerTo(method, givenToken, body);
    calls.push({ method, status: act?.kind === "drop" ? 0 : answer.status });
    if (act?.kind === "drop") {
      response.destroy();
      return;
    }
    if (act?.kind === "slow") await act.until;
    write(response, answer);
  });
  const url = await listen(server, port);

  const chatOf = (person: FakePerson) => ({ id: person.id, type: "private", first_name: person.firstName });
  const senderOf = ({ id, firstName, lastName, username: name, language }: FakePerson) => ({
    ...{ id, is_bot: false, first_name: firstName },
    ...(lastName !== undefined && { last_name: lastName }),
    ...(name !== undefined && { username: name }),
    ...(language !== undefined && { language_code: language }),
  });
  const now = () => Math.floor(Date.now() / 1_000);
  return {
    url,
    token,
    shown,
    shownTo: (chat) => shown.filter((one) => one.chat === String(chat)).map(({ text }) => text),
    signs,
    calls,
    answered,
    revoke() {
      isRevoked = true;
    },
    script: scripts.add,
    files,
    send(from, part) {
      const message = { message_id: nextMessageId++, date: now(), chat: chatOf(from), from: senderOf(from) };
      return happen({ message: { ...message, ...part } });
    },
    write(from, text, more = {}) {
      const command = /^\/[a-z0-9_]{1,32}/i.exec(text)?.[0];
      const entities = command && { entities: [{ type: "bot_command", offset: 0, length: command.length }] };
      const message = { message_id: nextMessageId++, date: now(), chat: chatOf(from), from: senderOf(from) };
      return happen({ message: { ...message, text, ...entities, ...more } });
    },
    press(from, messageId, data) {
      const below = shown.find(({ id }) => id === messageId);
      const message = {
        message_id: Number(messageId),
        date: now(),
        chat: chatOf(from),
        ...(below && { text: below.text, reply_markup: below.body["reply_markup"] }),
      };
      return happen({ callback_query: { id: `q${nextUpdateId}`, from: senderOf(from), message, data } });
    },
    block: (from, isBlocked) =>
      happen({
        my_chat_member: {
          ...{ chat: chatOf(from), from: senderOf(from), date: now() },
          new_chat_member: { status: isBlocked ? "kicked" : "member", user: { id: botId, is_bot: true } },
        },
      }),
    async repeat(updateId) {
      const known = updates.find(({ id }) => id === updateId);
      if (known) await deliver(known.update);
    },
    get webhook() {
      return webhook;
    },
    close: () => closeServer(server),
  };
}

function ok(result: unknown): Answer {
  return { status: 200, body: { ok: true, result } };
}

function refused(description: string): Answer {
  return failure(400, description);
}

/** Returns an error in the documented format. */
export function failure(status: number, description: string, parameters?: JsonObject): Answer {
  return { status, body: { ok: false, error_code: status, description, ...(parameters && { parameters }) } };
}

function textProblem(body: JsonObject, key: "text" | "caption", most: number, what: string): Answer | undefined {
  const text = body[key];
  if (typeof text !== "string" || text.trim() === "") return refused("Bad Request: message text is empty");
  // The limit applies to the text after its entities are parsed. The service's entities never shorten a text.
  if (text.length > most)
    return refused(`Bad Request: ${what === "caption" ? "message caption" : "message"} is too long`);
  return (
    entitiesProblem(text, body[key === "text" ? "entities" : "caption_entities"]) ??
    keyboardProblem(body["reply_markup"])
  );
}

/** Checks a draft by the rules of https://core.telegram.org/bots/api#sendmessagedraft, read on 2026-11-30. */
function draftProblem(body: JsonObject): Answer | undefined {
  const { draft_id: id, text = "", chat_id: chat } = body;
  if (Number(chat) <= 0) return refused("Bad Request: drafts are for private chats");
  if (!Number.isInteger(id) || id === 0) return refused("Bad Request: DRAFT_ID_INVALID");
  // An empty draft shows that the bot is thinking.
  return text === "" ? undefined : textProblem(body, "text", texts.draft, "message");
}

const entityTypes = new Set([
  ...["mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline"],
  ...["strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "text_mention"],
  "custom_emoji",
]);

function entitiesProblem(text: string, entities: unknown): Answer | undefined {
  if (entities === undefined) return undefined;
  if (!Array.isArray(entities)) return refused("Bad Request: can't parse entities: expected an Array");
  for (const entity of entities) {
    const { type, offset, length, url } = isJsonObject(entity) ? entity : {};
    if (typeof type !== "string" || !entityTypes.has(type))
      return refused("Bad Request: can't parse entities: unknown type");
    if (!Number.isInteger(offset) || !Number.isInteger(length))
      return refused("Bad Request: can't parse entities: bad range");
    const [from, count] = [Number(offset), Number(length)];
    if (from < 0 || count <= 0 || from + count > text.length) return refused("Bad Request: entity out of range");
    if (type === "text_link" && typeof url !== "string") return refused("Bad Request: text_link without url");
  }
  return undefined;
}

function keyboardProblem(markup: unknown): Answer | undefined {
  const rows = isJsonObject(markup) ? markup["inline_keyboard"] : undefined;
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows)) return refused('Bad Request: field "inline_keyboard" must be of type Array');
  for (const button of rows.flat()) {
    const { text, callback_data: data, url } = isJsonObject(button) ? button : {};
    if (typeof text !== "string" || text === "")
      return refused("Bad Request: inline keyboard button text must be non-empty");
    if (data === undefined && url === undefined) return refused("Bad Request: inline keyboard button has no action");
    const bytes = Buffer.byteLength(String(data ?? "x"));
    if (bytes < 1 || bytes > texts.callbackData) return refused("Bad Request: BUTTON_DATA_INVALID");
    if (url !== undefined && !/^(?:https?|tg):\/\//.test(String(url)))
      return refused("Bad Request: BUTTON_URL_INVALID");
  }
  return undefined;
}

function write(response: ServerResponse, { status, body }: { status: number; body: unknown }, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

export async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The fake has no port");
  return `http://127.0.0.1:${address.port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
