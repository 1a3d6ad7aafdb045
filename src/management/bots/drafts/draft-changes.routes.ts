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

/** The abilities of a client that follows or changes a draft. */
export const Knows = Type.Optional(
  Type.Literal("edit", {
    description:
      "Say `edit` where you know that kind of change. To those who do not, a log that has one is one that does not go back so far: they read the draft again.",
  }),
);

const listedNouns = ["group", "block", "item", "edge", "event", "variable", "note", "frame"] as const;
const editedNouns = [...listedNouns, "theme", "settings", "editor", "bot"] as const;
const Listed = oneOf(listedNouns, { description: "What it is done to." });
const ThingId = Type.String({ description: "Its id." });
const Before = Type.Optional(
  Type.String({
    description: "The id of what comes next in the list; without it, or where that is not there, it is the last.",
  }),
);

const NewChange = Type.Union([
  Type.Object({
    op: Type.Literal("add", { description: "Puts a thing into its list." }),
    of: Listed,
    in: Within,
    before: Before,
    value: Type.Record(Type.String(), Type.Unknown(), { description: "The thing, with an id that is new." }),
  }),
  Type.Object({
    op: Type.Literal("remove", { description: "Takes a thing out, with all that is in it." }),
    of: Listed,
    id: ThingId,
    in: Within,
  }),
  Type.Object({
    op: Type.Literal("move", { description: "Gives a thing another place." }),
    of: Listed,
    id: ThingId,
    in: Within,
    before: Before,
  }),
  Type.Object({
    op: Type.Literal("set", { description: "Sets a value of a thing." }),
    of: oneOf(editedNouns, { description: "What a value of is set." }),
    id: Type.Optional(Type.String({ description: "Absent for theme, settings, the editor and the bot." })),
    in: Within,
    path: PathInFlow,
    value: Type.Optional(Type.Unknown({ description: "Without it the key goes." })),
  }),
  Type.Object({
    op: Type.Literal("edit", { description: "Changes letters of a text; what others do to it meanwhile stays." }),
    of: oneOf(editedNouns, { description: "What a text of is edited." }),
    id: Type.Optional(Type.String({ description: "Absent for theme, settings, the editor and the bot." })),
    in: Within,
    path: PathInFlow,
    ...EditSchema,
  }),
]);

const SetId = Type.String({
  pattern: "^[0-9A-Za-z_-]{16,64}$",
  expected: "an id of 16 to 64 letters, digits, - and _ that the client made, such as a UUID",
  description: "Made by the client: a set that comes twice is written once, and answered as before.",
  examples: ["0192f0c1-7b1e-4c5e-9a52-3f6d2b8c1a77"],
});

export const AuthorSchema = nullable(
  Type.Object({ userId: Id, name: nullable(Type.String()) }, { description: "Who made it; null where that is gone." }),
);

const ChangeSetSchema = resource(
  "ChangeSet",
  {
    revision: Type.Integer({ description: "The draft's revision with it." }),
    id: SetId,
    title: Type.String({ description: "What was done, for people." }),
    changes: Type.Array(ChangeSchema, { description: "What was changed, in this order." }),
    origin: Type.Optional(
      Type.Literal("restore", {
        description: "The service made it, to make the draft what it was. Absent for acts of authors.",
      }),
    ),
    by: AuthorSchema,
    at: { ...Timestamp, description: "When it was made." },
  },
  "One act of an author on a draft.",
);

const title = Type.String({
  maxLength: limits.editing.titleCharacters,
  description: "What is done, for people, such as `Move 3 groups`.",
});

const ChangesBody = Type.Object({
  base: Type.Integer({ minimum: 0, description: "The draft's revision that the sets were made on." }),
  knows: Knows,
  changeSets: Type.Array(
    Type.Object({
      id: SetId,
      title,
      changes: Type.Array(NewChange, {
        maxItems: limits.editing.changesPerSet,
        description: "What is changed, in this order.",
      }),
    }),
    {
      minItems: 1,
      maxItems: limits.editing.setsPerRequest,
      description: "One act each: it applies whole or not at all.",
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
    revision: Type.Integer({ description: "The draft's revision with these sets: the base of the next." }),
    updatedAt: { ...Timestamp, description: "The bot's." },
    others: Type.Array(ChangeSetSchema, { description: "What others have changed since `base`, in their order." }),
  }),
);

const SetsSchema = Type.Unsafe<{ revision: number; changeSets: readonly ChangeSetView[] }>(
  Type.Object({
    revision: Type.Integer({ description: "The draft's: ask again until you are there." }),
    changeSets: Type.Array(ChangeSetSchema, { description: "In their order, at most 100, and a few megabytes." }),
  }),
);

const bodyExample: Static<typeof ChangesBody> = {
  base: 41,
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
    summary: "Change a draft",
    description:
      "Change sets that were made on the revision `base`. What others have changed since is in `others`; your sets go on top where they are about " +
      "other things, or other paths of one thing; of positions, order and colours the last one counts. Otherwise nothing is written, and the " +
      "answer is 409 with `data.conflicts`: for each path `theirs`, `mine`, `by` and `at`. A set whose id was seen is answered as before.",
    act: "edits",
    // The log of change sets records who changed what, at a much lower cost than an entry for every typed word.
    isAudited: false,
    body: ChangesBody,
    bodyExample,
    answer: ChangedSchema,
    answerExample: { revision: 43, updatedAt: exampleTime, others: [exampleSet] },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict"],
    handle: async (deps, { caller, params, body: { knows, ...sent } }) =>
      changeDraft(deps, caller, params.botId, { ...sent, knowsEdits: knows === "edit" }),
  }),
  operation({
    id: "listDraftChanges",
    route: "GET /api/v1/bots/:botId/changes",
    summary: "List the changes of a draft",
    description: "The change sets after a revision, for who does not read them as they come.",
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "The revision that you have." }),
      knows: Knows,
    }),
    answer: SetsSchema,
    answerExample: { revision: 42, changeSets: [exampleSet] },
    errors: ["revision.not_found"],
    handle: async (deps, { caller, params, query }) =>
      listDraftChanges(deps, caller, params.botId, { after: query.after, knowsEdits: query.knows === "edit" }),
  }),
];
