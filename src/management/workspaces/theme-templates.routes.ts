import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import {
  described,
  exampleId,
  Id,
  IdInput,
  NameInput,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { compatibleTag } from "../operations/operation-words.ts";
import {
  createThemeTemplate,
  deleteThemeTemplate,
  getThemeTemplate,
  listThemeTemplates,
  saveThemeTemplate,
  updateTemplate,
} from "./theme-templates.ts";

const Theme = Type.Record(Type.String(), Type.Unknown(), {
  description: "The theme, in the format of a bot's `theme`.",
});

const ThemeTemplateSchema = resource(
  "ThemeTemplate",
  {
    id: Id,
    workspaceId: Id,
    name: Type.String(),
    theme: Theme,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A theme that a workspace stores for its bots.",
  { name: "Autumn", theme: { general: { background: { type: "Color", content: "#f4ede4" } } } },
);

const operation = operationFor("Theme templates");
const base = "/api/v1/workspaces/:workspaceId/theme-templates";
const { name, theme } = ThemeTemplateSchema.example;

const ownOperations: readonly Operation[] = [
  operation({
    id: "listThemeTemplates",
    route: `GET ${base}`,
    ...pageOf({
      themeTemplates: Type.Array(ThemeTemplateSchema, { description: "The theme templates, newest first." }),
    }),
    handle: async (deps, { caller, params, query }) => listThemeTemplates(deps, caller, params.workspaceId, query),
  }),
  operation({
    id: "createThemeTemplate",
    route: `POST ${base}`,
    body: Type.Object({ name: NameInput, theme: Theme }),
    bodyExample: { name, theme },
    answer: Type.Object({ themeTemplate: ThemeTemplateSchema }),
    errors: ["workspace.takes_nothing", "theme_template.too_many"],
    handle: async (deps, { caller, params, body }) => ({
      themeTemplate: await createThemeTemplate(deps, caller, { ...params, ...body }),
    }),
  }),
  operation({
    id: "getThemeTemplate",
    route: `GET ${base}/:themeTemplateId`,
    answer: Type.Object({ themeTemplate: ThemeTemplateSchema }),
    handle: async (deps, { caller, params }) => ({
      themeTemplate: await getThemeTemplate(deps, caller, placeOf(params)),
    }),
  }),
  operation({
    id: "updateThemeTemplate",
    route: `PATCH ${base}/:themeTemplateId`,
    body: Type.Object({ name: Type.Optional(NameInput), theme: Type.Optional(Theme) }),
    answer: Type.Object({ themeTemplate: ThemeTemplateSchema }),
    answerExample: { themeTemplate: { ...ThemeTemplateSchema.example, name: "Late autumn" } },
    handle: async (deps, { caller, params, body }) => ({
      themeTemplate: await updateTemplate(deps, caller, placeOf(params), body),
    }),
  }),
  operation({
    id: "deleteThemeTemplate",
    route: `DELETE ${base}/:themeTemplateId`,
    answer: Type.Object({ themeTemplate: ThemeTemplateSchema }),
    handle: async (deps, { caller, params }) => ({
      themeTemplate: await deleteThemeTemplate(deps, caller, placeOf(params)),
    }),
  }),
];

const TemplateOfClients = Type.Object({ id: Id, name: Type.String(), theme: Theme });
const shown = { id: exampleId, name, theme };
const Saved = Type.Object({ themeTemplateId: Type.String({ examples: [exampleId] }) });
const NamedWorkspace = Type.Object({ workspaceId: Type.Optional(IdInput) });

/** The operations for existing clients. Their paths do not contain the workspace, so the query or the body does. */
const compatibleOperations: readonly Operation[] = [
  operation({
    id: "typebotListThemeTemplates",
    route: "GET /api/v1/themeTemplates",
    tag: compatibleTag,
    query: Type.Object({ workspaceId: IdInput }),
    answer: Type.Object({
      themeTemplates: Type.Array(TemplateOfClients, { description: "The theme templates, newest first." }),
    }),
    answerExample: { themeTemplates: [shown] },
    errors: ["workspace.not_found", "workspace.forbidden"],
    async handle(deps, { caller, query }) {
      const page = { limit: limits.themeTemplates.perWorkspace };
      const { themeTemplates } = await listThemeTemplates(deps, caller, query.workspaceId, page);
      return { themeTemplates: themeTemplates.map(forClients) };
    },
  }),
  operation({
    id: "typebotSaveThemeTemplate",
    route: "PUT /api/v1/themeTemplates/:themeTemplateId",
    tag: compatibleTag,
    params: Saved,
    body: Type.Object({
      workspaceId: IdInput,
      name: Type.String({ maxLength: limits.fields.nameCharacters }),
      theme: Theme,
    }),
    bodyExample: { workspaceId: exampleId, name, theme },
    answer: Type.Object({ themeTemplate: described(TemplateOfClients, "The theme template.") }),
    answerExample: { themeTemplate: shown },
    errors: ["workspace.not_found", "workspace.forbidden", "workspace.takes_nothing", "theme_template.too_many"],
    async handle(deps, { caller, params, body: { workspaceId: owner, ...template } }) {
      const place = { workspaceId: owner, id: params.themeTemplateId };
      return { themeTemplate: forClients(await saveThemeTemplate(deps, caller, place, template)) };
    },
  }),
  operation({
    id: "typebotDeleteThemeTemplate",
    route: "DELETE /api/v1/themeTemplates/:themeTemplateId",
    tag: compatibleTag,
    params: Saved,
    query: NamedWorkspace,
    body: NamedWorkspace,
    answer: Type.Object({ themeTemplate: described(TemplateOfClients, "The theme template.") }),
    answerExample: { themeTemplate: shown },
    errors: ["workspace.not_found", "workspace.forbidden", "theme_template.not_found"],
    async handle(deps, { caller, params, query, body }) {
      const place = { workspaceId: body.workspaceId ?? query.workspaceId ?? "", id: params.themeTemplateId };
      return { themeTemplate: forClients(await deleteThemeTemplate(deps, caller, place)) };
    },
  }),
];

export const themeTemplateOperations: readonly Operation[] = [...ownOperations, ...compatibleOperations];

function placeOf({ workspaceId: owner, themeTemplateId }: { workspaceId: string; themeTemplateId: string }) {
  return { workspaceId: owner, id: themeTemplateId };
}

function forClients({ id, name: called, theme: kept }: Static<typeof ThemeTemplateSchema>) {
  return { id, name: called, theme: kept };
}
