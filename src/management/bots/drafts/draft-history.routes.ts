import { Type } from "@sinclair/typebox";
import {
  exampleId,
  exampleTime,
  idPath,
  NextCursor,
  PageQuery,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { botBodyExample, EditorSchema, flowProperties } from "../schemas.ts";
import type { BotDependencies } from "./dependencies.ts";
import { AuthorSchema, BotPath } from "./draft-changes.routes.ts";
import { getDraftRevision, listDraftHistory, restoreRevision, type Sitting } from "./draft-history.ts";

const operation = operationFor<BotDependencies>("Bots");

const RevisionPath = Type.Object({
  botId: idPath("bot.not_found"),
  revision: Type.String({
    pattern: "^(0|[1-9][0-9]{0,8})$",
    notFound: "revision.not_found",
    description: "A revision of the draft.",
    examples: ["41"],
  }),
});

const SittingSchema = resource(
  "Sitting",
  {
    revision: Type.Integer({ description: "The draft's revision at the end of the session." }),
    revisionBefore: Type.Integer({ description: "The draft's revision before the session." }),
    by: AuthorSchema,
    from: { ...Timestamp, description: "Time of the first change." },
    to: { ...Timestamp, description: "Time of the last change." },
    changeSets: Type.Integer({ description: "Number of change sets." }),
    titles: Type.Array(Type.String(), { description: "Summaries of at most five actions, newest first." }),
  },
  "An editing session: changes to a draft by one person, with no pause of more than 15 minutes.",
);

const sitting: Sitting = {
  revision: 42,
  revisionBefore: 37,
  by: { userId: exampleId, name: "Ada" },
  from: exampleTime,
  to: exampleTime,
  changeSets: 5,
  titles: ["Rename a group", "Move 3 groups"],
};

const DraftRevisionSchema = resource(
  "DraftRevision",
  {
    revision: Type.Integer({ description: "The requested revision." }),
    ...flowProperties,
    editor: EditorSchema,
  },
  "A draft at an earlier revision.",
);

const { name: _, ...flowExample } = botBodyExample;

export const draftHistoryOperations: readonly Operation[] = [
  operation({
    id: "listDraftHistory",
    route: "GET /api/v1/bots/:botId/history",
    params: BotPath,
    query: PageQuery,
    answer: Type.Unsafe<{ sittings: readonly Sitting[]; nextCursor?: string }>(
      Type.Object({
        sittings: Type.Array(SittingSchema, { description: "The editing sessions, newest first." }),
        nextCursor: NextCursor,
      }),
    ),
    answerExample: { sittings: [sitting] },
    handle: async (deps, { caller, params, query }) => listDraftHistory(deps, caller, params.botId, query),
  }),
  operation({
    id: "getDraftRevision",
    route: "GET /api/v1/bots/:botId/history/:revision",
    params: RevisionPath,
    answer: Type.Object({ draft: DraftRevisionSchema }),
    answerExample: { draft: { revision: 41, ...flowExample, editor: null } },
    handle: async (deps, { caller, params }) => ({
      draft: await getDraftRevision(deps, caller, params.botId, Number(params.revision)),
    }),
  }),
  operation({
    id: "restoreRevision",
    route: "POST /api/v1/bots/:botId/history/:revision/restore",
    params: RevisionPath,
    answer: Type.Object({
      revision: Type.Integer({ description: "The draft's current revision." }),
      updatedAt: Timestamp,
    }),
    answerExample: { revision: 43, updatedAt: exampleTime },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict"],
    handle: async (deps, { caller, params }) => restoreRevision(deps, caller, params.botId, Number(params.revision)),
  }),
];
