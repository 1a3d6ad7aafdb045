import { Type } from "@sinclair/typebox";
import { startErrors } from "../../chat/routes/chat.routes.ts";
import { Message } from "../../chat/routes/chat-schemas.ts";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { channels } from "../../core/channels/index.ts";
import { startPlaceSchemas } from "../../core/interpreter/program/message.ts";
import { limits } from "../../limits/index.ts";
import { needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { exampleId, Id, IdInput, idPath, oneOf } from "../../platform/http/schemas.ts";
import { previewOnChannel } from "../channel-preview.ts";

const operation = operationFor<ChatDependencies>("Channels");

const types = [...channels.keys()];
const JsonMap = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const ChannelTypeSchema = Type.Object(
  {
    type: Type.String({ description: "Name of the kind in the API." }),
    name: Type.String({ description: "Display name of the kind." }),
    page: Type.String({ description: "Path of the documentation page below `docs/`." }),
    settings: JsonMap("JSON Schema of a connection's unencrypted settings, with the annotations that forms need."),
    secrets: JsonMap("JSON Schema of a connection's secrets, which are stored encrypted and never returned."),
    madeSecrets: Type.Array(Type.String(), { description: "The secrets that the service generates itself." }),
    capabilities: JsonMap("Limits of the messenger's messages. Lengths are in UTF-16 units, and sizes in bytes."),
  },
  { $id: "ChannelType", description: "A kind of messenger." },
);

const ActSchema = Type.Object(
  {
    kind: oneOf(["reply", "mark", "send", "page", "skip"], {
      description:
        "The kind of action. `reply` answers with `text` and `replyId`; `skip` continues without a file; `mark` selects the item `itemId`, and `send` sends the selected items; `page` shows another page.",
    }),
    text: Type.Optional(Type.String({ description: "For `reply`: the text of the message." })),
    replyId: Type.Optional(Type.String({ description: "For `reply`: the id of the chosen item." })),
    itemId: Type.Optional(Type.String({ description: "For `mark`: the id of the item to select." })),
    page: Type.Optional(Type.Integer({ description: "For `page`: the number of the page, from 0." })),
  },
  { $id: "ChannelAct", description: "The action of a button in a messenger." },
);

const PreviewedMessage = Type.Object(
  {
    method: Type.String({ description: "The provider's method, such as `sendMessage`." }),
    body: JsonMap("Parameters of the call, without the contact."),
    mediaKey: Type.Optional(
      Type.String({
        description:
          "The key of `body` that contains a file's URL. If possible, the file itself is sent instead of the URL.",
      }),
    ),
    afterSeconds: Type.Optional(Type.Number({ description: "The pause before the message, in seconds." })),
  },
  { $id: "ChannelMessage", description: "A message as the provider would get it." },
);

export const channelOperations: readonly Operation[] = [
  operation({
    id: "listChannelTypes",
    route: "GET /api/v1/channel-types",
    summary: "List the kinds of messengers",
    description: "Returns each kind with the schemas of its settings and secrets, and with the limits of its messages.",
    answer: Type.Object({ channelTypes: Type.Array(ChannelTypeSchema, { description: "The kinds, sorted by name." }) }),
    answerExample: {
      channelTypes: [
        {
          type: "telegram",
          name: "Telegram",
          page: "channels-telegram.md",
          settings: { type: "object", properties: {} },
          secrets: { type: "object", properties: {} },
          madeSecrets: ["secretToken"],
          capabilities: { text: { length: 4_096 } },
        },
      ],
    },
    handle: () => ({
      channelTypes: [...channels.values()].map(
        ({ type, name, page, settings, secrets, madeSecrets, capabilities }) => ({
          ...{ type, name, page, settings, secrets, capabilities },
          madeSecrets: [...madeSecrets],
        }),
      ),
    }),
  }),
  operation({
    id: "previewOnChannel",
    route: "POST /api/v1/bots/:botId/channelPreview",
    summary: "Preview a bot's messages on a messenger",
    description:
      "Runs the bot's draft as a preview, and returns the messages in the form that the messenger's provider would receive. Nothing is sent, and no result is created. With `sessionId`, an earlier preview continues.",
    act: "previews",
    auth: needsToken("read"),
    isAudited: false,
    params: Type.Object({ botId: idPath("bot.not_found") }),
    body: Type.Object({
      channel: oneOf(types, { description: "The kind of messenger." }),
      sessionId: Type.Optional(
        Type.Unsafe<string>({
          ...IdInput,
          description: "Id of an earlier preview to continue. Without it, a new preview starts.",
        }),
      ),
      message: Type.Optional(Message),
      startFrom: Type.Optional(
        Type.Union([...startPlaceSchemas, Type.Null()], {
          description: "The object at which the preview starts. Defaults to the flow's start.",
        }),
      ),
      isGroup: Type.Optional(
        Type.Boolean({ default: false, description: "Whether the contact is a group instead of a person." }),
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    bodyExample: { channel: "telegram" },
    shows: true,
    isKept: false,
    answer: Type.Object({
      sessionId: Type.Unsafe<string>({
        ...Id,
        description: "Id of the preview. Send it with the contact's next message.",
      }),
      messages: Type.Array(PreviewedMessage, {
        description: "The messages, in the order in which they would be sent.",
      }),
      choices: Type.Record(Type.String(), ActSchema, {
        description: "The action of each button, by the button's token.",
      }),
      losses: Type.Array(Type.String(), {
        description:
          "Reasons why the contact sees less than a chat page would show, each listed once: see docs/channels.md.",
      }),
      isWaiting: Type.Boolean({ description: "Whether the chat waits for a message of the contact." }),
    }),
    answerExample: {
      sessionId: exampleId,
      messages: [
        {
          method: "sendMessage",
          body: { text: "Tea?", reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: "0.0" }]] } },
        },
      ],
      choices: { "0.0": { kind: "reply", text: "yes", replyId: "yes" } },
      losses: [],
      isWaiting: true,
    },
    errors: [
      ...startErrors,
      "flow.start_group_not_found",
      "flow.start_event_not_found",
      "flow.start_block_not_found",
      "session.not_found",
      "session.not_preview",
      "session.expired",
      "session.ended",
      "workspace.suspended",
      "server.newer_state",
    ],
    isStep: true,
    handle: async (deps, { caller, params, body, admission, dialect, request }) =>
      previewOnChannel(deps, caller, {
        botId: params.botId,
        channel: body.channel,
        sessionId: body.sessionId,
        message: body.message,
        startFrom: body.startFrom ?? undefined,
        isGroup: body.isGroup ?? false,
        hops: deps.hops.read(request),
        signal: request.signal,
        dialect,
        address: admission.address,
        ownAddress: admission.ownAddress(),
      }),
  }),
];
