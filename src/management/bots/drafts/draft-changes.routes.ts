import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import {
  exampleId,
  exampleTime,
  Id,
  idPath,
  nullable,
  oneOf,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { ChangeSchema, EditSchema, PathInFlow, Within } from "./comparison-schemas.ts";
import type { BotDependencies } from "./dependencies.ts";
import { type Changed, type ChangeSetView, changeDraft, listDraftChanges } from "./draft-changes.ts";

const operation = operationFor<BotDependencies>("Bots");

export const BotPath = Type.Object({ botId: idPath("bot.not_found") });

/** The features that a client supports when it watches or changes a draft. */
export const Knows = Type.Optional(
  Type.Literal("edit", {
    description:
      "Send `edit` if your client supports that kind of change. For other clients, the log ends at the oldest `edit`, and they must read the draft again.",
  }),
);

const listedNouns = ["group", "block", "item", "edge", "event", "variable", "note", "frame"] as const;
const editedNouns = [...listedNouns, "theme", "settings", "editor", "bot"] as const;
const Listed = oneOf(listedNouns, { description: "The kind of object." });
const ThingId = Type.String({ description: "Id of the object." });
const Before = Type.Optional(
  Type.String({
    description:
      "Id of the next object in the list. Without it, or if the list has no such object, the object goes to the end.",
  }),
);

const NewChange = Type.Union([
  Type.Object({
    op: Type.Literal("add", { description: "Adds an object to its list." }),
    of: Listed,
    in: Within,
    before: Before,
    value: Type.Record(Type.String(), Type.Unknown(), { description: "The object, with a new id." }),
  }),
  Type.Object({
    op: Type.Literal("remove", { description: "Removes an object with everything in it." }),
    of: Listed,
    id: ThingId,
    in: Within,
  }),
  Type.Object({
    op: Type.Literal("move", { description: "Moves an object." }),
    of: Listed,
    id: ThingId,
    in: Within,
    before: Before,
  }),
  Type.Object({
    op: Type.Literal("set", { description: "Sets a value of an object." }),
    of: oneOf(editedNouns, { description: "The kind of object whose value is set." }),
    id: Type.Optional(
      Type.String({ description: "Id of the object. Absent for theme, settings, the editor and the bot." }),
    ),
    in: Within,
    path: PathInFlow,
    value: Type.Optional(Type.Unknown({ description: "The value. Without it, the key is removed." })),
  }),
  Type.Object({
    op: Type.Literal("edit", { description: "Edits a text, and keeps concurrent edits by others." }),
    of: oneOf(editedNouns, { description: "The kind of object whose text is edited." }),
    id: Type.Optional(
      Type.String({ description: "Id of the object. Absent for theme, settings, the editor and the bot." }),
    ),
    in: Within,
    path: PathInFlow,
    ...EditSchema,
  }),
]);

const SetId = Type.String({
  pattern: "^[0-9A-Za-z_-]{16,64}$",
  expected: "an id of 16 to 64 letters, digits, - and _ that the client made, such as a UUID",
  description:
    "Id that the client generates. If you send a set twice, it is applied once, and the second response is the same.",
  examples: ["0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77"],
});

export const AuthorSchema = nullable(
  Type.Object(
    { userId: Id, name: nullable(Type.String()) },
    { description: "The author; null if the user no longer exists." },
  ),
);

const ChangeSetSchema = resource(
  "ChangeSet",
  {
    revision: Type.Integer({ description: "The draft's revision after this set." }),
    id: SetId,
    title: Type.String({ description: "Summary of the author's action." }),
    changes: Type.Array(ChangeSchema, { description: "The changes, in the order in which they are applied." }),
    origin: Type.Optional(
      Type.Literal("restore", {
        description: "Whether the service created the set to restore the draft. Absent for actions of authors.",
      }),
    ),
    by: AuthorSchema,
    at: { ...Timestamp, description: "Time of the action." },
  },
  "One action of an author on a draft.",
);

const title = Type.String({
  maxLength: limits.editing.titleCharacters,
  description: "Summary of the action, such as `Move 3 groups`.",
});

const ChangesBody = Type.Object({
  base: Type.Integer({ minimum: 0, description: "The draft's revision on which the sets are based." }),
  knows: Knows,
  changeSets: Type.Array(
    Type.Object({
      id: SetId,
      title,
      changes: Type.Array(NewChange, {
        maxItems: limits.editing.changesPerSet,
        description: "The changes, in the order in which they are applied.",
      }),
    }),
    {
      minItems: 1,
      maxItems: limits.editing.setsPerRequest,
      description: "The change sets. Each set is one action, and is applied completely or not at all.",
    },
  ),
});

const exampleSet: ChangeSetView = {
  revision: 42,
  id: "0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77",
  title: "Rename a group",
  changes: [{ op: "set", of: "group", id: "welcome", path: ["title"], value: "Hello" }],
  by: { userId: exampleId, name: "Ada" },
  at: exampleTime,
};

const ChangedSchema = Type.Unsafe<Changed>(
  Type.Object({
    revision: Type.Integer({ description: "The draft's revision after these sets. Use it as the next `base`." }),
    updatedAt: { ...Timestamp, description: "Time of the bot's last change." },
    others: Type.Array(ChangeSetSchema, { description: "The changes by other people since `base`, oldest first." }),
  }),
);

const SetsSchema = Type.Unsafe<{ revision: number; changeSets: readonly ChangeSetView[] }>(
  Type.Object({
    revision: Type.Integer({ description: "The draft's current revision. Repeat the request until you reach it." }),
    changeSets: Type.Array(ChangeSetSchema, {
      description: "The change sets, oldest first, at most 100 and a few megabytes.",
    }),
  }),
);

const bodyExample: Static<typeof ChangesBody> = {
  base: 0,
  changeSets: [
    {
      id: "0192f0c1-9d02-4f0e-8e0b-6f3b1c2d4e5f",
      title: "Move a block",
      changes: [{ op: "move", of: "block", id: "hello", in: "welcome", before: "name" }],
    },
  ],
};

export const draftChangeOperations: readonly Operation[] = [
  operation({
    id: "changeDraft",
    route: "POST /api/v1/bots/:botId/changes",
    act: "edits",
    // The operation is not audited, because the log of change sets already records its author and changes. An audit
    // entry for each typed word would cost much more.
    isAudited: false,
    body: ChangesBody,
    bodyExample,
    shows: true,
    answer: ChangedSchema,
    answerExample: { revision: 43, updatedAt: exampleTime, others: [exampleSet] },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict"],
    handle: async (deps, { caller, params, body: { knows, ...sent } }) =>
      changeDraft(deps, caller, params.botId, { ...sent, knowsEdits: knows === "edit" }),
  }),
  operation({
    id: "listDraftChanges",
    route: "GET /api/v1/bots/:botId/changes",
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Your current revision." }),
      knows: Knows,
    }),
    answer: SetsSchema,
    answerExample: { revision: 42, changeSets: [exampleSet] },
    errors: ["revision.not_found"],
    handle: async (deps, { caller, params, query }) =>
      listDraftChanges(deps, caller, params.botId, { after: query.after, knowsEdits: query.knows === "edit" }),
  }),
];
