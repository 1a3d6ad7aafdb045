import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { EdgeSchema, FlowPartsSchema, flowVersions, flowWords, GroupSchema } from "../../core/flow/document.ts";
import { VariableSchema } from "../../core/interpreter/schemas/envelope.ts";
import { EventOptionsSchema, EventSchema } from "../../core/interpreter/schemas/events.ts";
import { SettingsSchema } from "../../core/interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../core/interpreter/schemas/theme.ts";
import { limits } from "../../limits/index.ts";
import {
  described,
  exampleId,
  exampleTime,
  Id,
  IdInput,
  nullable,
  oneOf,
  resource,
  Timestamp,
  TimestampInput,
} from "../../platform/http/schemas.ts";

export const botStates = ["draft", "live", "changed", "closed", "trouble"] as const;

const Version = oneOf(flowVersions, { description: "The version of the format that the flow is written in." });

/** Shown by the documentation as this schema says; any object fits, since unknown keys and words are kept. */
function documented({ properties, description }: TObject, $id?: string) {
  const plain: unknown = JSON.parse(JSON.stringify(properties));
  return Type.Record(Type.String(), Type.Unknown(), {
    properties: plain,
    ...(description && { description }),
    ...($id !== undefined && { $id }),
  });
}

const DocumentedEvent = Type.Object(
  {
    ...EventSchema.properties,
    options: Type.Optional(nullable(documented({ ...EventOptionsSchema, description: "What its author has set." }))),
  },
  { $id: "FlowEvent", description: "What a chat begins with, or what runs on a command or a reply." },
);

/** The parts of a flow as stored. */
export const flowProperties = {
  version: Version,
  events: nullable(Type.Array(DocumentedEvent, { description: flowWords.events })),
  groups: Type.Array(GroupSchema, { description: flowWords.groups }),
  edges: Type.Array(EdgeSchema, { description: flowWords.edges }),
  variables: Type.Array(VariableSchema, { description: flowWords.variables }),
  theme: documented(ThemeSchema, "Theme"),
  settings: documented(SettingsSchema, "Settings"),
};

const isArchived = Type.Boolean({
  description: "Whether it is archived: kept with everything, and closed to visitors.",
});

/** The editor's data beside a flow. Visitors never get it, and no version of the flow contains it. */
export const EditorSchema = nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      "What an editor keeps beside the flow: `notes` and `frames`, lists of objects with ids, `colors` and `locks` by the ids of groups, and what else it likes; at most 1 MB. No visitor gets it.",
  }),
);

const flowExample = {
  version: "6" as const,
  events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "first" }],
  groups: [
    {
      id: "welcome",
      title: "Welcome",
      graphCoordinates: { x: 200, y: 0 },
      blocks: [
        {
          id: "hello",
          type: "text",
          content: { richText: [{ type: "p", children: [{ text: "What is your name?" }] }] },
        },
        { id: "name", type: "text input", options: { variableId: "name" } },
      ],
    },
  ],
  edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "welcome" } }],
  variables: [{ id: "name", name: "Name" }],
  theme: {},
  settings: {},
};

export const BotSchema = resource(
  "Bot",
  {
    ...flowProperties,
    id: Id,
    name: Type.String(),
    icon: nullable(Type.String()),
    workspaceId: Id,
    folderId: nullable(Id),
    publicId: nullable(Type.String()),
    customDomain: nullable(Type.String()),
    selectedThemeTemplateId: nullable(Type.String()),
    resultsTablePreferences: nullable(
      Type.Record(Type.String(), Type.Unknown(), { description: "How an editor shows the table of results." }),
    ),
    messengerCredentialsId: nullable(Type.String()),
    riskLevel: nullable(Type.Number()),
    isClosed: Type.Boolean(),
    isArchived,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.Integer({ description: "How many change sets the draft has had: the `base` of the next." }),
    editor: EditorSchema,
  },
  "A bot with its draft: what its authors work on. Visitors meet what was published of it.",
  {
    ...flowExample,
    name: "Visitors' book",
    icon: null,
    folderId: null,
    publicId: "visitors-book-9w2b5d0",
    customDomain: null,
    selectedThemeTemplateId: null,
    resultsTablePreferences: null,
    messengerCredentialsId: null,
    riskLevel: null,
    isClosed: false,
    isArchived: false,
    revision: 41,
    editor: null,
  },
);

export const BotSummarySchema = resource(
  "BotSummary",
  {
    id: Id,
    name: Type.String(),
    icon: nullable(Type.String()),
    workspaceId: Id,
    folderId: nullable(Id),
    publicId: nullable(Type.String()),
    address: nullable(Type.String({ description: "Where visitors meet it; null while nobody can." })),
    isClosed: Type.Boolean(),
    isArchived,
    publishedBotId: described(nullable(Id), "Id of the publication that visitors meet; null while nobody can."),
    publicationNumber: nullable(Type.Integer({ description: "Of the publication that visitors meet." })),
    lastAnsweredAt: nullable(
      Type.Unsafe<string>({ ...Timestamp, description: "When the newest chat that has an answer last changed." }),
    ),
    accessRight: oneOf(["write", "read", "guest"], { description: "What you may do with it." }),
    state: oneOf(botStates, {
      description:
        "Its state: `draft` was never published or is no longer published, `changed` is live while its draft was changed since, `closed` turns visitors away, " +
        "`trouble` is live and had errors in the last day.",
    }),
    errorCount: Type.Integer({ description: "Errors of the last day, in the logs of its newest 20 chats." }),
    lastChange: Type.Object(
      {
        at: described(Timestamp, "When it was made; where that is not kept, when the bot was last written."),
        by: nullable(Type.String({ description: "The name of who made it, where that is kept." })),
      },
      { description: "The last change of its draft." },
    ),
    lastSevenDays: Type.Object(
      {
        startedCount: Type.Integer({ description: "Chats with an answer at least." }),
        completedCount: Type.Integer({ description: "Chats that came to their end." }),
      },
      { description: "Chats of the last seven days, as far as they are counted." },
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A bot, as lists show it.",
  {
    name: "Visitors' book",
    icon: null,
    folderId: null,
    publicId: "visitors-book-9w2b5d0",
    address: "https://chat.example.com/visitors-book-9w2b5d0",
    isClosed: false,
    isArchived: false,
    publicationNumber: 3,
    accessRight: "write",
    state: "live",
    errorCount: 0,
    lastChange: { at: exampleTime, by: "Ada Lovelace" },
    lastSevenDays: { startedCount: 120, completedCount: 96 },
  },
);

const preferences = Type.Object(
  {
    columnsOrder: Type.Optional(Type.Array(Type.String(), { description: "Ids of the columns, from the left." })),
    columnsVisibility: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), { description: "Whether a column is shown, by its id." }),
    ),
    columnsWidth: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Number()), Type.Array(Type.Unknown(), { maxItems: 0 })], {
        description: "Widths in pixels, by the id of the column.",
      }),
    ),
  },
  { description: "How an editor shows the table of its results." },
);

/** Shown by the documentation, checked by the service: it knows more of flows than a schema can express, and keeps unknown parts. */
function readByService<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema>>({ ...schema, keepsUnknown: true }));
}

const { version, groups, edges, variables } = FlowPartsSchema.properties;

/** The body of POST: every field is optional. */
export const botBodyProperties = {
  version: readByService(version),
  events: readByService(flowProperties.events),
  groups: readByService(groups),
  edges: readByService(edges),
  variables: readByService(variables),
  theme: readByService(flowProperties.theme),
  settings: readByService(flowProperties.settings),
  name: Type.Optional(Type.String({ maxLength: limits.fields.nameCharacters, default: "My bot" })),
  icon: Type.Optional(nullable(Type.String({ maxLength: limits.fields.iconCharacters }))),
  folderId: Type.Optional(nullable(IdInput)),
  selectedThemeTemplateId: Type.Optional(nullable(Type.String({ maxLength: limits.fields.nameCharacters }))),
  resultsTablePreferences: Type.Optional(nullable(preferences)),
  publicId: Type.Optional(nullable(Type.String())),
  customDomain: Type.Optional(nullable(Type.String())),
  editor: Type.Optional(EditorSchema),
};

const ofTheFile = Type.Optional(Type.Unknown({ description: "An exported file has it; it is not taken over." }));

/** The body of an import: every key of an exported file is known, though not all of them are used. */
export const importedBotProperties = {
  ...botBodyProperties,
  id: ofTheFile,
  workspaceId: ofTheFile,
  createdAt: ofTheFile,
  updatedAt: ofTheFile,
  isArchived: ofTheFile,
  isClosed: ofTheFile,
  riskLevel: ofTheFile,
  messengerCredentialsId: ofTheFile,
  revision: ofTheFile,
};

/** The body of PATCH: an absent field stays, null clears, any other value replaces the whole field. */
export const botChangesProperties = {
  ...botBodyProperties,
  messengerCredentialsId: Type.Optional(nullable(Type.String({ maxLength: limits.fields.nameCharacters }))),
  riskLevel: Type.Optional(nullable(Type.Number())),
  isClosed: Type.Optional(Type.Boolean()),
  updatedAt: Type.Optional(nullable(TimestampInput)),
};

export const Conversion = Type.Object({
  migrateToLatestVersion: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Answer with the flow converted to the latest version. Nothing is written.",
    }),
  ),
});

export const botBodyExample = { name: "Visitors' book", ...flowExample };

export const publishedBotExample = {
  ...flowExample,
  id: exampleId,
  botId: exampleId,
  createdAt: exampleTime,
  updatedAt: exampleTime,
};
