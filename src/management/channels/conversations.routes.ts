import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import {
  described,
  exampleId,
  Id,
  IdInput,
  nullable,
  oneOf,
  PageQuery,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { eraseContact } from "./contact-erasure.ts";
import {
  endChannelConversation,
  getChannelConversation,
  listChannelConversations,
  listChannelMessages,
  settleChannelSending,
  testChannelConnection,
} from "./conversations.ts";

const operation = operationFor("Channels");
const base = "/api/v1/workspaces/:workspaceId/channel-connections/:connectionId";

const ConversationSchema = resource(
  "ChannelConversation",
  {
    contactId: Id,
    kind: oneOf(["person", "group"], { description: "Whether the contact is one person or a group." }),
    name: nullable(Type.String({ description: "Name of the contact, as reported by the messenger." })),
    username: nullable(Type.String({ description: "User name of the contact, as reported by the messenger." })),
    language: nullable(
      Type.String({ description: "Language of the contact, as reported by the messenger, such as `de`." }),
    ),
    addressKind: Type.String({ description: "`phone`, `user` or `chat`." }),
    address: Type.String({ description: "Address to which messages are sent." }),
    botId: described(nullable(Id), "Id of the bot that last answered."),
    botName: nullable(Type.String({ description: "Name of the bot." })),
    sessionId: described(nullable(Id), "Id of the last chat; null if the next message starts a new chat."),
    resultId: described(nullable(Id), "Id of the last result."),
    isRunning: Type.Boolean({ description: "Whether the chat continues with the contact's next message." }),
    optedOutAt: described(nullable(Timestamp), "Time at which the contact opted out of further messages."),
    blockedAt: described(nullable(Timestamp), "Time at which the contact blocked the bot."),
    lastInboundAt: described(nullable(Timestamp), "Time of the contact's last message."),
    lastOutboundAt: described(nullable(Timestamp), "Time of the last message that the messenger accepted."),
    unsentCount: Type.Integer({
      description: `Number of waiting messages; ${limits.channels.shownUnsent} means ${limits.channels.shownUnsent} or more.`,
    }),
    failedCount: Type.Integer({
      description: `Number of failed messages; ${limits.channels.shownUnsent} means ${limits.channels.shownUnsent} or more.`,
    }),
  },
  "A contact of a connection and the state of their conversation.",
  {
    kind: "person",
    name: "Ada",
    username: "ada",
    language: "en",
    addressKind: "chat",
    address: "4711",
    botName: "Tea shop",
    isRunning: true,
    optedOutAt: null,
    blockedAt: null,
    unsentCount: 0,
    failedCount: 0,
  },
);

const MessageSchema = resource(
  "ChannelConversationMessage",
  {
    id: Id,
    direction: oneOf(["in", "out"], { description: "Direction of the message. `in` is from the contact." }),
    kind: Type.String({
      description:
        "Kind of message. From the contact: `message`, `tap` and other kinds. To the contact: `step` (from a bot), `notice` (from the connection itself) or `test`.",
    }),
    text: nullable(Type.String({ description: "Content as plain text; null if the content is erased." })),
    choices: Type.Array(Type.String(), { description: "Titles of the message's buttons." }),
    state: Type.String({
      description:
        "State of the message. From the contact: `waiting`, `done`, `merged` or `dropped`. To the contact: `pending`, `sending`, `accepted`, `sent`, `delivered`, `read`, `failed` or `dropped`.",
    }),
    reason: nullable(Type.String({ description: "Reason why the message was dropped or failed." })),
    sessionId: described(nullable(Id), "Id of the chat that the message belongs to."),
    at: described(Timestamp, "Time at which the message was received or created."),
  },
  "A message of a conversation.",
  { direction: "out", kind: "step", text: "Tea?", choices: ["Yes", "No"], state: "delivered", reason: null },
);

export const conversationOperations: readonly Operation[] = [
  operation({
    id: "listChannelConversations",
    route: `GET ${base}/conversations`,
    ...pageOf({ conversations: Type.Array(ConversationSchema) }),
    query: Type.Object({
      ...PageQuery.properties,
      botId: Type.Optional(
        Type.Unsafe<string>({ ...IdInput, description: "Returns only conversations in which this bot answered last." }),
      ),
      isRunning: Type.Optional(
        Type.Boolean({
          description:
            "Returns only conversations with a running chat (`true`), or only conversations without a running chat (`false`).",
        }),
      ),
      isOptedOut: Type.Optional(
        Type.Boolean({
          description: "Returns only contacts who have opted out (`true`), or only contacts who have not (`false`).",
        }),
      ),
      address: Type.Optional(
        Type.String({
          maxLength: 200,
          description: "Returns only the contact with this address, such as a phone number.",
        }),
      ),
    }),
    handle: async (deps, { caller, params: path, query }) => listChannelConversations(deps, caller, path, query),
  }),
  operation({
    id: "getChannelConversation",
    route: `GET ${base}/conversations/:contactId`,
    answer: Type.Object({ conversation: ConversationSchema }),
    handle: async (deps, { caller, params: path }) => ({
      conversation: await getChannelConversation(deps, caller, path),
    }),
  }),
  operation({
    id: "listChannelMessages",
    route: `GET ${base}/conversations/:contactId/messages`,
    ...pageOf({ messages: Type.Array(MessageSchema, { description: "The messages of this page." }) }),
    handle: async (deps, { caller, params: path, query }) => listChannelMessages(deps, caller, path, query),
  }),
  operation({
    id: "endChannelConversation",
    route: `POST ${base}/conversations/:contactId/end`,
    answer: Type.Object({ conversation: ConversationSchema }),
    handle: async (deps, { caller, params: path }) => ({
      conversation: await endChannelConversation(deps, caller, path),
    }),
  }),
  operation({
    id: "testChannelConnection",
    route: `POST ${base}/test`,
    body: Type.Object({
      contactId: Type.Unsafe<string>({ ...IdInput, description: "Id of the contact." }),
      text: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S", description: "Text of the message." }),
    }),
    bodyExample: { contactId: exampleId, text: "Hello from Parley" },
    answer: Type.Object({
      message: Type.Object({ id: Id }, { description: "The message, with its id in the conversation." }),
    }),
    errors: ["channel_connection.disabled", "contact.not_found", "contact.opted_out", "contact.blocked"],
    handle: async (deps, { caller, params: path, body }) => ({
      message: await testChannelConnection(deps, caller, path, body),
    }),
  }),
  operation({
    id: "retryChannelMessage",
    route: `POST ${base}/sendings/:sendingId/retry`,
    answer: Type.Object({}),
    answerExample: {},
    errors: ["sending.passed", "contact.opted_out", "contact.blocked"],
    handle: async (deps, { caller, params: path }) => {
      await settleChannelSending(deps, caller, path, "retry");
      return {};
    },
  }),
  operation({
    id: "dropChannelMessage",
    route: `POST ${base}/sendings/:sendingId/drop`,
    answer: Type.Object({}),
    answerExample: {},
    handle: async (deps, { caller, params: path }) => {
      await settleChannelSending(deps, caller, path, "drop");
      return {};
    },
  }),
  operation({
    id: "eraseChannelContact",
    route: `DELETE ${base}/contacts/:contactId`,
    query: Type.Object({
      results: Type.Optional(Type.Boolean({ default: false, description: "Whether to erase the results as well." })),
    }),
    answer: Type.Object({
      erased: Type.Object(
        {
          messages: Type.Integer({ description: "Number of erased messages in both directions." }),
          sessions: Type.Integer({ description: "Chats." }),
          results: Type.Integer({
            description: "Number of results that were erased, or from which the contact's details were removed.",
          }),
        },
        { description: "The numbers of erased objects." },
      ),
    }),
    handle: async (deps, { caller, params: path, query: { results = false } }) => ({
      erased: await eraseContact(deps, caller, path, { withResults: results }),
    }),
  }),
];
