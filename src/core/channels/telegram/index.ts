import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import { defineChannel } from "../channel.ts";
import { isSameSecret } from "../secrets.ts";
import { readAnswer } from "./answers.ts";
import { capabilities, pace } from "./capabilities.ts";
import { callOf, secrets, settings, uploadOf } from "./connection.ts";
import { fitMedia } from "./media.ts";
import { plans } from "./plans.ts";
import { allowedUpdates, read } from "./read.ts";
import { render } from "./render.ts";
import { wordsOf } from "./words.ts";

/** The timeout in seconds of a long-polling request for updates. */
const pollSeconds = 25;

export const telegram = defineChannel({
  type: "telegram",
  name: "Telegram",
  page: "channels-telegram.md",
  settings,
  secrets,
  madeSecrets: ["secretToken"],
  secretOf: (random) => Buffer.from(random).subarray(0, 24).toString("base64url"),
  server: "TELEGRAM_API_URL",
  calledPorts: [443, 80, 88, 8443],
  capabilities,
  verify({ headers }, { secretToken }) {
    const isOurs = isSameSecret(headers.get("x-telegram-bot-api-secret-token"), secretToken);
    return { kind: isOurs ? "accepted" : "refused" };
  },
  read,
  render,
  wordsOf,
  call({ method, body, mediaKey, isForNobody }, { address }, connection, upload) {
    const whole = { ...(!isForNobody && { chat_id: Number(address.value) }), ...body };
    if (upload === undefined || mediaKey === undefined) return callOf(method, whole, connection);
    return uploadOf(method, whole, connection, { ...upload, field: mediaKey });
  },
  fitMedia,
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
    draft: (draftId, text) => ({ method: "sendMessageDraft", body: { draft_id: draftId, text } }),
  },
  plans,
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
      // A local Bot API server returns absolute paths of files on its own disk.
      if (path === undefined || path.startsWith("/") || path.split("/").includes("..")) return undefined;
      return `/file/bot${connection.secrets.botToken}/${path.split("/").map(encodeURIComponent).join("/")}`;
    },
  }),
  pace,
  isNumbered: true,
  commandWords: { restart: ["/start", "/restart"], stop: ["/stop"] },
});
