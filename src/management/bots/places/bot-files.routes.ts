import { Type } from "@sinclair/typebox";
import { importLines } from "../../../core/documents/import-lines.ts";
import { fidelities } from "../../../core/documents/import-report.ts";
import { repairKinds } from "../../../core/flow/repair/repair-flow.ts";
import {
  exampleId,
  exampleTime,
  Id,
  IdInput,
  nullable,
  oneOf,
  resource,
  Timestamp,
  TimestampInput,
} from "../../../platform/http/schemas.ts";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { BotSchema, botBodyExample, EditorSchema, flowProperties, importedBotProperties } from "../schemas.ts";
import { checkImport, exportBot, importBot, importIntoBot } from "./bot-import.ts";
import { MissingProperties } from "./bot-places.routes.ts";

const operation = operationFor<BotDependencies>("Bots");

const { name, icon, selectedThemeTemplateId, resultsTablePreferences } = BotSchema.properties;

const RepairSchema = Type.Object({
  kind: oneOf(repairKinds, { description: "The kind of object whose id was repeated." }),
  was: Type.String({ description: "The id of the object in the file." }),
  id: Type.String({ description: "The id of the object after the import." }),
  groupTitle: Type.Optional(Type.String({ description: "The title of the object's group." })),
  blockName: Type.Optional(Type.String({ description: "The name of the block's type." })),
});

const linesOf = (part: keyof typeof importLines, description: string) =>
  Type.Array(
    Type.Object({
      kind: oneOf(importLines[part], { description: "The subject of the line." }),
      message: Type.String({ description: "The line, in one sentence." }),
      count: Type.Integer({ description: "Number of occurrences." }),
      names: Type.Array(Type.String(), {
        description: "The types, block names or keys that the line refers to; 10 at most.",
      }),
      places: Type.Array(
        Type.Object({
          groupId: Type.String(),
          blockId: Type.String(),
          groupTitle: Type.String({ description: "The title of the group." }),
          blockName: Type.String({ description: "The name of the block's type for authors." }),
        }),
        { description: "The first blocks that the line refers to; 10 at most." },
      ),
    }),
    { description },
  );

const ImportReportSchema = resource(
  "ImportReport",
  {
    willNotWork: linesOf("willNotWork", "Parts of the flow that have no effect in Parley, one line for each kind."),
    toEnter: linesOf("toEnter", "Credentials and addresses that you must enter, one line for each kind."),
    different: linesOf("different", "Differences from the file, one line for each kind."),
    counts: Type.Object(
      {
        exact: Type.Integer({ description: "Number of blocks that run exactly as intended." }),
        approximated: Type.Integer({ description: "Number of blocks that run with small differences." }),
        notRun: Type.Integer({ description: "Number of blocks that Parley skips." }),
      },
      { description: "Number of blocks by fidelity." },
    ),
    blocks: Type.Array(
      Type.Object({
        groupId: Type.String(),
        blockId: Type.String(),
        type: Type.String({ description: "The type of the block." }),
        fidelity: oneOf(fidelities, { description: "Whether the block runs in Parley as intended." }),
        reasons: Type.Array(Type.String(), {
          description: "The reason why the block does not run exactly as intended.",
        }),
      }),
      { description: "Every block of the file." },
    ),
    repairs: Type.Array(RepairSchema, {
      description:
        "The objects that got a new id because an earlier object of the same kind has the same id. Empty without `repair`.",
    }),
    lostKeys: Type.Array(Type.String(), {
      description: "Top-level keys of the file that Parley does not use and that are too large to keep for an export.",
    }),
    ...MissingProperties,
  },
  "The import report of a file: three lists for people, and the details of each block.",
  {
    willNotWork: [
      {
        kind: "unknown_type",
        message: "1 block has a type that Parley does not support, and is skipped: a type of a later release.",
        count: 1,
        names: ["a type of a later release"],
        places: [
          {
            groupId: "welcome",
            blockId: "future",
            groupTitle: "Welcome",
            blockName: "a type of a later release",
          },
        ],
      },
    ],
    toEnter: [],
    different: [],
    counts: { exact: 1, approximated: 0, notRun: 1 },
    blocks: [
      { groupId: "welcome", blockId: "name", type: "text input", fidelity: "exact", reasons: [] },
      {
        groupId: "welcome",
        blockId: "future",
        type: "a type of a later release",
        fidelity: "notRun",
        reasons: ["Parley does not run blocks of this type, and skips them."],
      },
    ],
    repairs: [{ kind: "block", was: "name", id: "name-2", groupTitle: "Contact", blockName: "Text input" }],
    lostKeys: [],
    missingCredentials: [],
    missingBots: [],
    missingSecrets: [],
    missingFiles: [],
  },
);

const BotFileSchema = resource(
  "BotFile",
  {
    ...flowProperties,
    id: Id,
    name,
    icon,
    folderId: nullable(Type.String({ description: "The folder that the imported file named, if it named one." })),
    selectedThemeTemplateId,
    resultsTablePreferences,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    editor: EditorSchema,
  },
  "An exported bot, as an import accepts it.",
);

const enableSafetyFlags = Type.Optional(
  Type.Boolean({
    default: false,
    description: "Whether to mark client-side code as unsafe. Set this for files from other people.",
  }),
);

const repair = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      "Whether to give a new id to groups, blocks, edges and items of a block that repeat an earlier id, instead of rejecting the file. References to these objects are updated.",
  }),
);

export const botFileOperations: readonly Operation[] = [
  operation({
    id: "importBot",
    route: "POST /api/v1/bots/import",
    isCompatible: true,
    body: Type.Object({
      workspaceId: IdInput,
      folderId: Type.Optional(nullable(IdInput)),
      bot: Type.Object(importedBotProperties),
      enableSafetyFlags,
      repair,
    }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    shows: true,
    answer: Type.Object({ bot: BotSchema, report: ImportReportSchema }),
    answerExample: { bot: { ...BotSchema.example, publicId: null }, report: ImportReportSchema.example },
    errors: [
      "workspace.not_found",
      "workspace.forbidden",
      "workspace.takes_nothing",
      "folder.not_found",
      "flow.no_start",
    ],
    handle: async (deps, { caller, body, dialect }) => {
      const { enableSafetyFlags: hasSafetyFlags = false, repair: isRepaired = false, ...file } = body;
      return importBot(deps, caller, { ...file, hasSafetyFlags, isRepaired, dialect });
    },
  }),
  operation({
    id: "checkImport",
    route: "POST /api/v1/bots/import/check",
    auth: needsToken("read"),
    isAudited: false,
    body: Type.Object({ workspaceId: IdInput, bot: Type.Object(importedBotProperties), repair }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    answer: Type.Object({
      name: Type.String({ description: "The name of the bot after an import." }),
      groupCount: Type.Integer({ description: "Number of groups in the flow." }),
      report: ImportReportSchema,
    }),
    answerExample: { name: "Visitors' book", groupCount: 1, report: ImportReportSchema.example },
    errors: ["workspace.not_found", "workspace.forbidden", "flow.no_start"],
    handle: async (deps, { caller, body: { workspaceId, bot, repair: isRepaired = false }, dialect }) =>
      checkImport(deps, caller, { workspaceId, bot, hasSafetyFlags: false, isRepaired, dialect }),
  }),
  operation({
    id: "importIntoBot",
    route: "POST /api/v1/bots/:botId/import",
    body: Type.Object({
      bot: Type.Object(importedBotProperties),
      enableSafetyFlags,
      repair,
      updatedAt: Type.Optional(TimestampInput),
    }),
    bodyExample: { bot: botBodyExample },
    shows: true,
    answer: Type.Object({
      bot: BotSchema,
      report: ImportReportSchema,
      replacedNumber: Type.Integer({ description: "The number of the version that stores the previous draft." }),
    }),
    answerExample: { bot: BotSchema.example, report: ImportReportSchema.example, replacedNumber: 4 },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict", "precondition.failed", "flow.no_start"],
    handle: async (deps, { caller, params, body, seen, dialect }) =>
      importIntoBot(deps, caller, params.botId, {
        bot: body.bot,
        hasSafetyFlags: body.enableSafetyFlags ?? false,
        isRepaired: body.repair ?? false,
        seen,
        seenUpdatedAt: body.updatedAt === undefined ? undefined : new Date(body.updatedAt),
        dialect,
      }),
  }),
  operation({
    id: "exportBot",
    route: "GET /api/v1/bots/:botId/export",
    isCompatible: true,
    answer: BotFileSchema,
    answerExample: {
      ...botBodyExample,
      id: exampleId,
      icon: null,
      folderId: null,
      selectedThemeTemplateId: null,
      resultsTablePreferences: null,
      createdAt: exampleTime,
      updatedAt: exampleTime,
      editor: null,
    },
    handle: async (deps, { caller, params, dialect }) => exportBot(deps, caller, params.botId, dialect),
  }),
];
