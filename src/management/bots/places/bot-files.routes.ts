import { Type } from "@sinclair/typebox";
import { fidelities } from "../../../core/documents/import-report.ts";
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

const ImportReportSchema = resource(
  "ImportReport",
  {
    counts: Type.Object(
      {
        exact: Type.Integer({ description: "Blocks that run here as they were meant." }),
        approximated: Type.Integer({ description: "Blocks that run here nearly so." }),
        notRun: Type.Integer({ description: "Blocks that are passed over here." }),
      },
      { description: "How many blocks of each fidelity there are." },
    ),
    blocks: Type.Array(
      Type.Object({
        groupId: Type.String(),
        blockId: Type.String(),
        type: Type.String({ description: "The type of the block." }),
        fidelity: oneOf(fidelities, { description: "Whether it runs here as it was meant." }),
        reasons: Type.Array(Type.String(), { description: "Why it does not run exactly as it was meant." }),
      }),
      { description: "Every block of the file." },
    ),
    ...MissingProperties,
  },
  "What became of an imported file, block by block.",
  {
    counts: { exact: 1, approximated: 0, notRun: 1 },
    blocks: [
      { groupId: "welcome", blockId: "name", type: "text input", fidelity: "exact", reasons: [] },
      {
        groupId: "welcome",
        blockId: "sheet",
        type: "Google Sheets",
        fidelity: "notRun",
        reasons: ["Blocks of this type are not run here: they are passed over."],
      },
    ],
    missingCredentials: [],
    missingBots: [],
  },
);

const BotFileSchema = resource(
  "BotFile",
  {
    ...flowProperties,
    id: Id,
    name,
    icon,
    folderId: Type.Null(),
    selectedThemeTemplateId,
    resultsTablePreferences,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    editor: EditorSchema,
  },
  "An exported bot: what an import takes.",
);

const enableSafetyFlags = Type.Optional(
  Type.Boolean({ default: false, description: "Marks client-side code of files that come from somebody else." }),
);

export const botFileOperations: readonly Operation[] = [
  operation({
    id: "importBot",
    route: "POST /api/v1/bots/import",
    summary: "Import a bot",
    description:
      "Takes flows of every version and stores the latest. Ids inside the flow stay, and nothing of it is lost. The report tells of each block whether it " +
      "runs here exactly, nearly or not, and names credentials and linked bots that the workspace does not have.",
    isCompatible: true,
    body: Type.Object({
      workspaceId: IdInput,
      folderId: Type.Optional(nullable(IdInput)),
      bot: Type.Object(importedBotProperties),
      enableSafetyFlags,
    }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    answer: Type.Object({ bot: BotSchema, report: ImportReportSchema }),
    answerExample: { bot: { ...BotSchema.example, publicId: null }, report: ImportReportSchema.example },
    errors: ["workspace.not_found", "workspace.forbidden", "folder.not_found", "flow.no_start"],
    handle: async (deps, { caller, body, dialect }) => {
      const { enableSafetyFlags: hasSafetyFlags = false, ...file } = body;
      return importBot(deps, caller, { ...file, hasSafetyFlags, dialect });
    },
  }),
  operation({
    id: "checkImport",
    route: "POST /api/v1/bots/import/check",
    summary: "Check an exported bot before you import it",
    description:
      "Returns the report that an import would return, and creates nothing. A file that cannot be imported gets the same error as the import.",
    auth: needsToken("read"),
    isAudited: false,
    body: Type.Object({ workspaceId: IdInput, bot: Type.Object(importedBotProperties) }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    answer: Type.Object({
      name: Type.String({ description: "The name that the bot would have." }),
      groupCount: Type.Integer({ description: "How many groups its flow has." }),
      report: ImportReportSchema,
    }),
    answerExample: { name: "Visitors' book", groupCount: 1, report: ImportReportSchema.example },
    errors: ["workspace.not_found", "workspace.forbidden", "flow.no_start"],
    handle: async (deps, { caller, body: { workspaceId, bot }, dialect }) =>
      checkImport(deps, caller, { workspaceId, bot, hasSafetyFlags: false, dialect }),
  }),
  operation({
    id: "importIntoBot",
    route: "POST /api/v1/bots/:botId/import",
    summary: "Import into an existing bot",
    description:
      "The file's flow, theme and settings, and its `editor` where it has one, become the bot's draft; its name, addresses and what visitors meet stay until it is published. The draft as it was " +
      "is kept as a version, `replacedNumber`, which can be restored. `updatedAt` is the version that you saw: if the bot was written since, the answer is 409.",
    body: Type.Object({
      bot: Type.Object(importedBotProperties),
      enableSafetyFlags,
      updatedAt: Type.Optional(TimestampInput),
    }),
    bodyExample: { bot: botBodyExample },
    answer: Type.Object({
      bot: BotSchema,
      report: ImportReportSchema,
      replacedNumber: Type.Integer({ description: "The number under which the draft as it was is kept." }),
    }),
    answerExample: { bot: BotSchema.example, report: ImportReportSchema.example, replacedNumber: 4 },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict", "precondition.failed", "flow.no_start"],
    handle: async (deps, { caller, params, body, seen, dialect }) =>
      importIntoBot(deps, caller, params.botId, {
        bot: body.bot,
        hasSafetyFlags: body.enableSafetyFlags ?? false,
        seen,
        seenUpdatedAt: body.updatedAt === undefined ? undefined : new Date(body.updatedAt),
        dialect,
      }),
  }),
  operation({
    id: "exportBot",
    route: "GET /api/v1/bots/:botId/export",
    summary: "Export a bot as a file",
    description:
      "The response is the file: send it as `bot` to import it, here or in any service that reads this format. The flow is converted to the latest version.",
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
