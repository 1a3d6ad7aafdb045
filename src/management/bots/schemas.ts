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

const Version = oneOf(flowVersions, { description: "The version of the flow's format." });

/**
 * Returns a schema that accepts any object, because unknown keys and values are stored. The documentation shows only
 * these properties.
 */
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
    options: Type.Optional(
      nullable(documented({ ...EventOptionsSchema, description: "The options that the author has set." })),
    ),
  },
  { $id: "FlowEvent", description: "The events of the flow: the start of a chat, commands and replies." },
);

/** The parts of a flow as they are stored. */
export const flowProperties = {
  version: Version,
  events: nullable(Type.Array(DocumentedEvent, { description: flowWords.events })),
  groups: Type.Array(GroupSchema, { description: flowWords.groups }),
  edges: Type.Array(EdgeSchema, { description: flowWords.edges }),
  variables: Type.Array(VariableSchema, { description: flowWords.variables }),
  theme: documented(ThemeSchema, "Theme"),
  settings: documented(SettingsSchema, "Settings"),
};

const publicationNumber = nullable(Type.Integer({ description: "Number of the published version." }));

const isArchived = Type.Boolean({
  description: "Whether the bot is archived: it keeps its data, and is closed to visitors.",
});

/** The editor's data, stored in addition to the flow. Visitors never get it, and no version of the flow contains it. */
export const EditorSchema = nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      "Data of the editor: `notes` and `frames` (lists of objects with ids), `colors` and `locks` by group id, and any other keys; at most 1 MB. Visitors never receive it.",
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
      Type.Record(Type.String(), Type.Unknown(), { description: "Layout of the results table in the editor." }),
    ),
    messengerCredentialsId: nullable(Type.String()),
    riskLevel: nullable(Type.Number()),
    isClosed: Type.Boolean(),
    isArchived,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    publicationNumber,
    revision: Type.Integer({ description: "Number of change sets so far. Use it as the `base` of the next change." }),
    editor: EditorSchema,
  },
  "A bot with its draft, which its authors edit. Visitors get the published version.",
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
    publicationNumber: 3,
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
    address: nullable(Type.String({ description: "URL for visitors; null if the bot is not published." })),
    isClosed: Type.Boolean(),
    isArchived,
    publishedBotId: described(nullable(Id), "Id of the published version; null if the bot is not published."),
    publicationNumber,
    lastAnsweredAt: nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: "Time of the last change to the newest chat that has an answer.",
      }),
    ),
    accessRight: oneOf(["write", "read", "guest"], { description: "Your access to the bot." }),
    state: oneOf(botStates, {
      description:
        "State of the bot: `draft` is not published, `live` is published, `changed` is live and its draft has unpublished changes, `closed` turns visitors away, " +
        "`trouble` is live and had errors in the last day.",
    }),
    errorCount: Type.Integer({
      description: "Number of errors in the logs of the newest 20 chats that started in the last day.",
    }),
    lastChange: Type.Object(
      {
        at: described(
          Timestamp,
          "Time of the draft's last recorded change; if none is recorded, the time of the bot's last change.",
        ),
        by: nullable(Type.String({ description: "Name of the person who made this change; null if it is unknown." })),
      },
      { description: "The draft's last change." },
    ),
    lastSevenDays: Type.Object(
      {
        startedCount: Type.Integer({ description: "Number of chats with at least one answer." }),
        completedCount: Type.Integer({ description: "Number of complete chats." }),
      },
      { description: "Chats of the last seven days that are already counted." },
    ),
    startsByDay: Type.Array(Type.Integer(), {
      description:
        "Number of counted chats with an answer that started on each of the last 14 days, in UTC. The last entry is today.",
    }),
    picture: nullable(
      Type.Object(
        {
          groups: Type.Array(
            Type.Object({
              x: Type.Integer({ description: "Distance from the leftmost group." }),
              y: Type.Integer({ description: "Distance from the topmost group." }),
              blocks: Type.String({
                description:
                  "One letter for each of the first 8 blocks: `s` says, `a` asks, `d` decides, `c` connects, `t` thinks, `e` is an event, `-` is any other block.",
              }),
            }),
            { description: "The first 40 groups, in the order in which a chat runs them." },
          ),
          edges: Type.Array(Type.Array(Type.Integer()), {
            description: "Pairs of the source group and the target group, as indexes in `groups`.",
          }),
        },
        {
          description:
            "The shape of the draft, for drawing it in lists; null until it is known. It is updated within two minutes of a change.",
        },
      ),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A bot in a list.",
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
    startsByDay: [4, 9, 12, 7, 15, 3, 2, 14, 21, 18, 25, 22, 8, 12],
    picture: {
      groups: [
        { x: 0, y: 0, blocks: "sa" },
        { x: 180, y: 40, blocks: "sct" },
      ],
      edges: [[0, 1]],
    },
  },
);

const preferences = Type.Object(
  {
    columnsOrder: Type.Optional(Type.Array(Type.String(), { description: "Ids of the columns, from left to right." })),
    columnsVisibility: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), { description: "Whether a column is shown, by its id." }),
    ),
    columnsWidth: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Number()), Type.Array(Type.Unknown(), { maxItems: 0 })], {
        description: "Widths in pixels, by the id of the column.",
      }),
    ),
  },
  { description: "Layout of the results table in the editor." },
);

/**
 * Returns a schema for the documentation. The service itself checks the flow, because it applies more rules than a
 * schema can express and retains unknown parts.
 */
function readByService<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema>>({ ...schema, keepsUnknown: true }));
}

const { version, groups, edges, variables } = FlowPartsSchema.properties;

/** The fields of a bot in the body of POST. Every field is optional. */
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

const ofTheFile = Type.Optional(Type.Unknown({ description: "Part of exported files. Imports ignore it." }));

/** The fields of a bot in the body of an import: every key of an exported file, though not all keys are used. */
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
  publicationNumber: ofTheFile,
  revision: ofTheFile,
};

/** The fields of a bot in the body of PATCH. An absent field does not change, and a value replaces the whole field. */
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
      description: "Whether to return the flow in the latest version. Nothing is written.",
    }),
  ),
});

/** The bots that link to a bot. If the bot is removed, these links are broken. */
export const LinkedFrom = Type.Array(
  resource(
    "LinkingBot",
    {
      id: Id,
      name: Type.String(),
      isPublished: Type.Boolean({
        description: "Whether the link is in the other bot's published version or canary, not only in its draft.",
      }),
    },
    "A bot that links to another.",
    { name: "Welcome", isPublished: true },
  ),
  { description: "The bots that link to this bot." },
);

export const botBodyExample = { name: "Visitors' book", ...flowExample };

export const publishedBotExample = {
  ...flowExample,
  id: exampleId,
  botId: exampleId,
  createdAt: exampleTime,
  updatedAt: exampleTime,
};
