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
    kind: oneOf(["person", "group"], { description: "Whether it is one person." }),
    name: nullable(Type.String({ description: "As the messenger says it." })),
    username: nullable(Type.String({ description: "As the messenger says it." })),
    language: nullable(Type.String({ description: "As the messenger says it, such as `de`." })),
    addressKind: Type.String({ description: "`phone`, `user` or `chat`." }),
    address: Type.String({ description: "Where messages go to." }),
    botId: described(nullable(Id), "The bot that answered last."),
    botName: nullable(Type.String({ description: "Its name." })),
    sessionId: described(nullable(Id), "The last chat; null: the next message begins one."),
    resultId: described(nullable(Id), "The last result."),
    isRunning: Type.Boolean({ description: "Whether the chat goes on with the next message." }),
    optedOutAt: described(nullable(Timestamp), "Time at which the contact asked for no more messages."),
    blockedAt: described(nullable(Timestamp), "Time at which the contact blocked the bot."),
    lastInboundAt: described(nullable(Timestamp), "Time of the contact's last message."),
    lastOutboundAt: described(nullable(Timestamp), "Time of the last message that the messenger took."),
    unsentCount: Type.Integer({
      description: `Messages that wait; ${limits.channels.shownUnsent} means so many or more.`,
    }),
    failedCount: Type.Integer({
      description: `Messages that were given up; ${limits.channels.shownUnsent} means so many or more.`,
    }),
  },
  "A contact of a connection, and where their conversation is.",
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
    direction: oneOf(["in", "out"], { description: "`in`: of the contact." }),
    kind: Type.String({
      description:
        "Of the contact: `message`, `tap` and so on; to the contact: `step` (a bot's), `notice` (the connection's own) or `test`.",
    }),
    text: nullable(Type.String({ description: "In plain words; null when its content is erased." })),
    choices: Type.Array(Type.String(), { description: "The titles of its buttons." }),
    state: Type.String({
      description:
        "Of the contact: `waiting`, `done`, `merged` or `dropped`; to the contact: `pending`, `sending`, `accepted`, `sent`, `delivered`, `read`, `failed` or `dropped`.",
    }),
    reason: nullable(Type.String({ description: "Why it was dropped, or failed." })),
    sessionId: described(nullable(Id), "The chat that it belongs to."),
    at: described(Timestamp, "Time at which it came, or was written."),
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
        Type.Unsafe<string>({ ...IdInput, description: "Only those in which this bot answered last." }),
      ),
      isRunning: Type.Optional(Type.Boolean({ description: "Only those that go on, or only the others." })),
      isOptedOut: Type.Optional(
        Type.Boolean({ description: "Only contacts who want no more messages, or only the others." }),
      ),
      address: Type.Optional(
        Type.String({ maxLength: 200, description: "Only the contact with this address, such as a phone number." }),
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
      contactId: Type.Unsafe<string>({ ...IdInput, description: "The contact." }),
      text: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S", description: "The text." }),
    }),
    bodyExample: { contactId: exampleId, text: "Hello from Parley" },
    answer: Type.Object({
      message: Type.Object({ id: Id }, { description: "The message, by its id in the conversation." }),
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
      results: Type.Optional(Type.Boolean({ default: false, description: "Whether the results are erased, too." })),
    }),
    answer: Type.Object({
      erased: Type.Object(
        {
          messages: Type.Integer({ description: "Messages in both directions." }),
          sessions: Type.Integer({ description: "Chats." }),
          results: Type.Integer({ description: "Results that were erased, or from which the contact was taken." }),
        },
        { description: "The numbers of what was erased." },
      ),
    }),
    handle: async (deps, { caller, params: path, query: { results = false } }) => ({
      erased: await eraseContact(deps, caller, path, { withResults: results }),
    }),
  }),
];
