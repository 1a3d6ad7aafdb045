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
const pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$";
const examples = ["greeting"];
const params = Type.Object({
  botId: idPath("bot.not_found"),
  name: Type.String({ pattern, notFound: "test_conversation.not_found", examples }),
});
/** Path parameters of a write. The name may belong to a new conversation. */
const namingParams = Type.Object({
  botId: params.properties.botId,
  name: Type.String({
    pattern,
    expected: `1 to 100 letters, digits, ".", "_" and "-", with a letter or a digit first`,
    examples,
  }),
});

const Title = Type.String({ description: "Title of the test conversation, in one sentence." });

const properties = {
  name: Type.String(),
  title: Title,
  isRequired: Type.Boolean({ description: "Whether publishing is rejected while the test fails." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
const ListedSchema = resource("ListedTestConversation", properties, "A test conversation, without its turns.");
const WholeSchema = resource(
  "StoredTestConversation",
  { ...properties, conversation: TestConversationSchema },
  "A test conversation of a bot.",
);

const conversation: Static<typeof TestConversationSchema> = {
  title: "The bot asks for a name and greets with it",
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
  total: Type.Integer({ description: "Total number in the flow." }),
  met: Type.Integer({ description: "Number that the conversations reached." }),
  missed: Type.Array(Type.String(), { description: "Ids that no conversation reached." }),
});

const ProblemsSchema = Type.Array(
  Type.Object({
    turn: Type.Integer({ description: "Number of the turn, from 1." }),
    part: Type.Optional(Type.String({ description: "The expectation that failed." })),
    message: Type.String({ description: "The problem, in one sentence." }),
    expected: Type.Optional(Type.Unknown({ description: "The expected value." })),
    actual: Type.Optional(Type.Unknown({ description: "The actual value." })),
  }),
  { description: "Differences from the expectations." },
);

const OutcomeSchema = Type.Object({
  name: Type.String(),
  title: Title,
  hasPassed: Type.Boolean({ description: "Whether all expectations are met." }),
  problems: ProblemsSchema,
});

export const testConversationOperations: readonly Operation[] = [
  operation({
    id: "listTestConversations",
    route: `GET ${base}`,
    answer: Type.Object({ testConversations: Type.Array(ListedSchema) }),
    answerExample: { testConversations: [listed] },
    handle: async (deps, { caller, params: { botId } }) => ({
      testConversations: [...(await listTestConversations(deps, caller, botId))],
    }),
  }),
  operation({
    id: "getTestConversation",
    route: `GET ${base}/:name`,
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
    description: `The format is documented in docs/test-conversations.md. A bot has at most ${limits.testConversations.perBot} test conversations of up to 256 kB each.`,
    params: namingParams,
    body: Type.Object({
      conversation: TestConversationSchema,
      isRequired: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether publishing is rejected while the test fails; `force` overrides this.",
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
    params,
    answer: Type.Object({ name: Type.String() }),
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
    auth: needsToken("read"),
    body: Type.Object({
      names: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: limits.testConversations.perBot,
          description: "Names of the test conversations to run. Defaults to all test conversations.",
        }),
      ),
      version: Type.Optional({
        ...VersionName,
        default: "draft",
        description: "The flow to test: `draft` or the number of a version.",
      }),
    }),
    shows: true,
    answer: Type.Object({
      hasPassed: Type.Boolean({ description: "Whether all test conversations passed." }),
      outcomes: Type.Array(OutcomeSchema, { description: "The outcome of each test conversation." }),
      coverage: Type.Object(
        {
          blocks: { ...ShareSchema, description: "Coverage of blocks." },
          edges: { ...ShareSchema, description: "Coverage of edges." },
          items: { ...ShareSchema, description: "Coverage of items." },
        },
        { description: "The part of the flow that the test conversations reached together." },
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
    auth: needsToken("read"),
    body: Type.Object({
      sessionId: Type.String(),
      title: Type.Optional({ ...Title, minLength: 1, maxLength: limits.fields.noteCharacters }),
    }),
    bodyExample: { sessionId: exampleId },
    shows: true,
    answer: Type.Object({ conversation: TestConversationSchema, problems: ProblemsSchema }),
    answerExample: { conversation, problems: [] },
    errors: ["session.not_found", "test_conversation.too_long", "server.overloaded"],
    handle: async (deps, { caller, params: { botId }, body: { sessionId, title = "Recorded from a chat" } }) =>
      recordConversation(deps, caller, botId, { sessionId, title }),
  }),
];
