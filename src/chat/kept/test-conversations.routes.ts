import { type Static, Type } from "@sinclair/typebox";
import { TestConversationSchema } from "../../core/test-conversations/schema.ts";
import { limits } from "../../limits/index.ts";
import { VersionName } from "../../management/bots/drafts/comparison-schemas.ts";
import {
  deleteTestConversation,
  getTestConversation,
  listTestConversations,
  putTestConversation,
  runTestConversations,
} from "../../management/bots/versions/test-conversations.ts";
import { needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { exampleId, exampleTime, idPath, resource, Timestamp } from "../../platform/http/schemas.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { recordConversation } from "./recorded-conversations.ts";

const operation = operationFor<ChatDependencies>("Test conversations");

const base = "/api/v1/bots/:botId/testConversations";
const params = Type.Object({
  botId: idPath("bot.not_found"),
  name: Type.String({
    pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
    notFound: "test_conversation.not_found",
    examples: ["greeting"],
  }),
});

const Title = Type.String({ description: "What it shows, in a sentence." });

const properties = {
  name: Type.String(),
  title: Title,
  isRequired: Type.Boolean({ description: "Publishing is refused while it fails." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
const ListedSchema = resource("ListedTestConversation", properties, "A test conversation, without what is said in it.");
const WholeSchema = resource(
  "StoredTestConversation",
  { ...properties, conversation: TestConversationSchema },
  "A test conversation that a bot keeps.",
);

const conversation: Static<typeof TestConversationSchema> = {
  title: "Who is asked for a name is greeted by it",
  turns: [
    { expect: { shows: ["What is your name?"], asks: "text input" } },
    { say: "Ada", expect: { shows: ["Hello Ada"], ends: true } },
  ],
};
const listed = {
  name: "greeting",
  title: conversation.title,
  isRequired: true,
  createdAt: exampleTime,
  updatedAt: exampleTime,
};
const wholeExample = { testConversation: { ...listed, conversation } };

const ShareSchema = Type.Object({
  total: Type.Integer({ description: "How many there are in the flow." }),
  met: Type.Integer({ description: "How many of them a conversation came by." }),
  missed: Type.Array(Type.String(), { description: "Their ids." }),
});

const ProblemsSchema = Type.Array(
  Type.Object({
    turn: Type.Integer({ description: "From 1." }),
    part: Type.Optional(Type.String({ description: "The expectation that was not met." })),
    message: Type.String({ description: "What is wrong, in a sentence." }),
    expected: Type.Optional(Type.Unknown({ description: "What the conversation says." })),
    actual: Type.Optional(Type.Unknown({ description: "What came." })),
  }),
  { description: "Where it did not come as the conversation says." },
);

/** The outcome of one test conversation. */
const OutcomeSchema = Type.Object({
  name: Type.String(),
  title: Title,
  hasPassed: Type.Boolean({ description: "Whether all came as it says." }),
  problems: ProblemsSchema,
});

export const testConversationOperations: readonly Operation[] = [
  operation({
    id: "listTestConversations",
    route: `GET ${base}`,
    summary: "List a bot's test conversations",
    description: "By name, all of them, without what is said in them.",
    answer: Type.Object({ testConversations: Type.Array(ListedSchema) }),
    answerExample: { testConversations: [listed] },
    handle: async (deps, { caller, params: { botId } }) => ({
      testConversations: [...(await listTestConversations(deps, caller, botId))],
    }),
  }),
  operation({
    id: "getTestConversation",
    route: `GET ${base}/:name`,
    summary: "Get a test conversation",
    params,
    answer: Type.Object({ testConversation: WholeSchema }),
    answerExample: wholeExample,
    handle: async (deps, { caller, params: place }) => ({
      testConversation: await getTestConversation(deps, caller, place),
    }),
  }),
  operation({
    id: "setTestConversation",
    route: `PUT ${base}/:name`,
    summary: "Make or replace a test conversation",
    description: `The format is told in docs/test-conversations.md. A bot has ${limits.testConversations.perBot} at most, of 256 kB each.`,
    params,
    body: Type.Object({
      conversation: TestConversationSchema,
      isRequired: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether publishing is refused while it fails; `force` overrules that.",
        }),
      ),
    }),
    bodyExample: { conversation, isRequired: true },
    answer: Type.Object({ testConversation: WholeSchema }),
    answerExample: wholeExample,
    errors: ["workspace.forbidden", "bot.archived", "test_conversation.too_many"],
    handle: async (deps, { caller, params: place, body }) => ({
      testConversation: await putTestConversation(deps, caller, place, {
        conversation: body.conversation,
        isRequired: body.isRequired ?? false,
      }),
    }),
  }),
  operation({
    id: "deleteTestConversation",
    route: `DELETE ${base}/:name`,
    summary: "Delete a test conversation",
    params,
    answer: Type.Object({ name: Type.String() }),
    answerExample: { name: "greeting" },
    errors: ["workspace.forbidden", "bot.archived"],
    handle: async (deps, { caller, params: place }) => {
      await deleteTestConversation(deps, caller, place);
      return { name: place.name };
    },
  }),
  operation({
    id: "runTestConversations",
    isAudited: false,
    route: `POST ${base}/run`,
    summary: "Run a bot's test conversations",
    description:
      "All of them, or those named, with the draft or a version. Nothing is stored and nothing is sent: effects come to what the conversations say. They run beside the visitors' chats, one run of a node at a time.",
    auth: needsToken("read"),
    body: Type.Object({
      names: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: limits.testConversations.perBot,
          description: "Names of those to run; absent: all.",
        }),
      ),
      version: Type.Optional({ ...VersionName, default: "draft", description: "`draft` or a number." }),
    }),
    answer: Type.Object({
      hasPassed: Type.Boolean({ description: "Whether all of them have passed." }),
      outcomes: Type.Array(OutcomeSchema, { description: "What became of each." }),
      coverage: Type.Object(
        {
          blocks: { ...ShareSchema, description: "Of its blocks." },
          edges: { ...ShareSchema, description: "Of its edges." },
          items: { ...ShareSchema, description: "Of its items." },
        },
        { description: "What all of them together met of the flow." },
      ),
    }),
    answerExample: {
      hasPassed: true,
      outcomes: [{ name: "greeting", title: conversation.title, hasPassed: true, problems: [] }],
      coverage: {
        blocks: { total: 4, met: 3, missed: ["bl4"] },
        edges: { total: 1, met: 1, missed: [] },
        items: { total: 0, met: 0, missed: [] },
      },
    },
    errors: [
      ...(["workspace.suspended", "publication.not_found", "test_conversation.not_found"] as const),
      ...(["test_conversation.too_long", "server.overloaded"] as const),
    ],
    handle: async (deps, { caller, params: { botId }, body }) =>
      runTestConversations(deps, caller, botId, { names: body.names, version: body.version ?? "draft" }),
  }),
  operation({
    id: "recordTestConversation",
    isAudited: false,
    route: `POST ${base}/record`,
    summary: "Make a test conversation of a chat",
    description:
      "What was said in a chat or a preview of the bot, as a test conversation to look through and to PUT; nothing is stored. What a chat does not keep is left out (variables that it started with, its chance, what its calls came to): `problems` says where it does not come out as it did for that.",
    auth: needsToken("read"),
    body: Type.Object({
      sessionId: Type.String(),
      title: Type.Optional({ ...Title, minLength: 1, maxLength: limits.fields.noteCharacters }),
    }),
    bodyExample: { sessionId: exampleId },
    answer: Type.Object({ conversation: TestConversationSchema, problems: ProblemsSchema }),
    answerExample: { conversation, problems: [] },
    errors: ["session.not_found", "test_conversation.too_long", "server.overloaded"],
    handle: async (deps, { caller, params: { botId }, body: { sessionId, title = "Recorded from a chat" } }) =>
      recordConversation(deps, caller, botId, { sessionId, title }),
  }),
];
