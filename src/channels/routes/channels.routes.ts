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
    type: Type.String({ description: "Its word in the API." }),
    name: Type.String({ description: "Its name for people." }),
    page: Type.String({ description: "Its page of the documentation, below `docs/`." }),
    settings: JsonMap("JSON Schema of what a connection stores openly, with the annotations that forms need."),
    secrets: JsonMap("JSON Schema of what is sealed, and never shown again."),
    madeSecrets: Type.Array(Type.String(), { description: "The secrets that the service makes itself." }),
    capabilities: JsonMap("The bounds of its messages; lengths are UTF-16 units, sizes bytes."),
  },
  { $id: "ChannelType", description: "A kind of messenger." },
);

const ActSchema = Type.Object(
  {
    kind: oneOf(["reply", "mark", "send", "page", "skip"], {
      description:
        "`reply` answers with `text` and `replyId`, `skip` without a file; `mark` marks the item `itemId`, and `send` sends those that are marked; `page` shows another page.",
    }),
    text: Type.Optional(Type.String({ description: "For `reply`: the message." })),
    replyId: Type.Optional(Type.String({ description: "For `reply`: the item that it names." })),
    itemId: Type.Optional(Type.String({ description: "For `mark`." })),
    page: Type.Optional(Type.Integer({ description: "For `page`: its number, from 0." })),
  },
  { $id: "ChannelAct", description: "The act of a button of a messenger." },
);

const PreviewedMessage = Type.Object(
  {
    method: Type.String({ description: "The provider's method, such as `sendMessage`." }),
    body: JsonMap("Its parameters, without the contact."),
    mediaKey: Type.Optional(
      Type.String({ description: "The key of `body` with a file's address: where it fits, the file itself is sent." }),
    ),
    afterSeconds: Type.Optional(Type.Number({ description: "The pause before it." })),
  },
  { $id: "ChannelMessage", description: "A message as the provider would get it." },
);

export const channelOperations: readonly Operation[] = [
  operation({
    id: "listChannelTypes",
    route: "GET /api/v1/channel-types",
    summary: "List the kinds of messengers",
    description: "Each with the schemas of its settings and secrets, and with what its messages can hold.",
    answer: Type.Object({ channelTypes: Type.Array(ChannelTypeSchema, { description: "The kinds, by their names." }) }),
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
    summary: "Show what a bot would say on a messenger",
    description:
      "Runs the bot's draft as a preview, and returns the messages as the provider would get them. Nothing is sent, and no result is created. With `sessionId` the preview goes on.",
    act: "previews",
    auth: needsToken("read"),
    isAudited: false,
    params: Type.Object({ botId: idPath("bot.not_found") }),
    body: Type.Object({
      channel: oneOf(types, { description: "The kind of messenger." }),
      sessionId: Type.Optional(
        Type.Unsafe<string>({ ...IdInput, description: "Of an earlier answer; absent: a new preview." }),
      ),
      message: Type.Optional(Message),
      startFrom: Type.Optional(
        Type.Union([...startPlaceSchemas, Type.Null()], {
          description: "The place to start at; absent: the flow's start.",
        }),
      ),
      isGroup: Type.Optional(
        Type.Boolean({ default: false, description: "Whether the contact is a group, not a person." }),
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    bodyExample: { channel: "telegram" },
    shows: true,
    isKept: false,
    answer: Type.Object({
      sessionId: Type.Unsafe<string>({ ...Id, description: "The preview: send it with the contact's next message." }),
      messages: Type.Array(PreviewedMessage, { description: "The messages, in their order." }),
      choices: Type.Record(Type.String(), ActSchema, {
        description: "The act of each button, by the token that it carries.",
      }),
      losses: Type.Array(Type.String(), {
        description: "Why the contact sees less than a page would show, each reason once: see docs/channels.md.",
      }),
      isWaiting: Type.Boolean({ description: "Whether the chat waits for the contact." }),
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
