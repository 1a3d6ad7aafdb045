import { Type } from "@sinclair/typebox";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import { helped, titled } from "../../interpreter/schemas/field-marks.ts";
import { type Connection, defineChannel, type ProviderCall } from "../channel.ts";
import { isSameSecret } from "../secrets.ts";
import { TextsSchema } from "../texts.ts";
import { readAnswer } from "./answers.ts";
import { capabilities, pace } from "./capabilities.ts";
import { allowedUpdates, read } from "./read.ts";
import { render } from "./render.ts";

const settings = Type.Object({
  transport: titled(
    "How messages come in",
    Type.Optional(
      Type.Union([Type.Literal("webhook"), Type.Literal("poll")], {
        description:
          "`webhook`: Telegram calls this service, which needs an https address. `poll`: this service asks Telegram. Absent: `webhook` where there is such an address.",
      }),
    ),
  ),
  texts: Type.Optional(TextsSchema),
});

const secrets = Type.Object({
  botToken: titled(
    "Token of the bot",
    helped(
      "From @BotFather, such as 123456:ABC-DEF.",
      Type.String({ pattern: "^\\d{1,20}:[\\w-]{20,100}$", description: "The token that @BotFather gives." }),
    ),
  ),
  secretToken: titled(
    "Secret of the webhook",
    Type.String({ pattern: "^[\\w-]{1,256}$", description: "Telegram sends it with each call. Made by the service." }),
  ),
});

type OfTelegram = Connection<typeof settings, typeof secrets>;

/** The longest that one question for updates waits, in seconds. */
const pollSeconds = 25;

export const telegram = defineChannel({
  type: "telegram",
  name: "Telegram",
  page: "channels.md",
  settings,
  secrets,
  madeSecrets: ["secretToken"],
  capabilities,
  verify({ headers }, { secretToken }) {
    const isOurs = isSameSecret(headers.get("x-telegram-bot-api-secret-token"), secretToken);
    return { kind: isOurs ? "accepted" : "refused" };
  },
  read,
  render,
  call({ method, body, isForNobody }, { address }, connection) {
    return callOf(method, { ...(!isForNobody && { chat_id: Number(address.value) }), ...body }, connection);
  },
  readAnswer,
  signs: {
    typing: () => ({ method: "sendChatAction", body: { action: "typing" } }),
    answerTap: (noticeId, words) => ({
      method: "answerCallbackQuery",
      isForNobody: true,
      body: { callback_query_id: noticeId, ...(words !== null && { text: words.slice(0, 200) }) },
    }),
    changeButtons: (messageId, message) => ({
      method: "editMessageReplyMarkup",
      body: {
        message_id: Number(messageId),
        ...(message !== null && { reply_markup: valueAt(message.body, "reply_markup") }),
      },
    }),
    draft: (draftId, text) => ({
      method: "sendMessageDraft",
      body: { draft_id: draftId, text: text.slice(0, capabilities.text.length) },
    }),
  },
  poll: {
    call: (after, connection) =>
      callOf(
        "getUpdates",
        {
          ...(after !== undefined && { offset: after + 1 }),
          timeout: pollSeconds,
          allowed_updates: allowedUpdates,
        },
        connection,
      ),
    updatesIn({ body }) {
      const updates = valueAt(parseUntrustedJson(body)?.value, "result");
      if (!Array.isArray(updates)) return undefined;
      return updates.flatMap((payload: unknown) => {
        const id = valueAt(payload, "update_id");
        return typeof id === "number" ? [{ id, payload }] : [];
      });
    },
  },
  findMedia: (reference, connection) => ({
    kind: "ask",
    call: callOf("getFile", { file_id: reference }, connection),
    pathIn({ body }) {
      const path = textAt(parseUntrustedJson(body)?.value, "result", "file_path");
      // A local Bot API server names files of its own disk by whole paths.
      if (path === undefined || path.startsWith("/") || path.split("/").includes("..")) return undefined;
      return `/file/bot${connection.secrets.botToken}/${path.split("/").map(encodeURIComponent).join("/")}`;
    },
  }),
  pace,
});

/** The token is in the path. */
function callOf(method: string, body: Readonly<Record<string, unknown>>, { secrets }: OfTelegram): ProviderCall {
  return {
    method: "POST",
    path: `/bot${secrets.botToken}/${method}`,
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify(body),
  };
}
