import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { described, Id, NameInput, nullable, oneOf, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { userModes } from "../access/access.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { createWorkspace, deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from "./workspaces.ts";

const plan = Type.String({
  examples: ["FREE"],
  description: "Always `FREE`. The service does not use it.",
});

export const WorkspaceSchema = resource(
  "Workspace",
  {
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    name: Type.String(),
    icon: nullable(Type.String()),
    plan,
    paymentProviderId: nullable(Type.String({ description: "Always null, because Parley has no billing." })),
    isSuspended: Type.Boolean({
      description:
        "Whether the workspace is suspended: its bots do not chat and cannot be read or changed, and nothing can be added to it.",
    }),
    suspendedAt: described(
      nullable(Timestamp),
      "Time since which the workspace is suspended; null if it is not suspended.",
    ),
    suspendedReason: nullable(Type.String({ description: "The administrator's reason for the suspension." })),
    isPastDue: Type.Boolean({ description: "Always false, because Parley has no billing." }),
    isVerified: Type.Boolean({ description: "For existing clients only; the service does not use it." }),
  },
  "A workspace.",
  {
    name: "Support team",
    icon: "💬",
    plan: "FREE",
    paymentProviderId: null,
    isSuspended: false,
    suspendedAt: null,
    suspendedReason: null,
    isPastDue: false,
    isVerified: false,
  },
);

const WorkspaceSummarySchema = Type.Object(
  { id: Id, name: Type.String(), icon: nullable(Type.String()), plan },
  // Other keys are not allowed. Otherwise, a whole workspace that lacks a key would match the summary.
  {
    $id: "WorkspaceSummary",
    additionalProperties: false,
    description: "Summary of a workspace, for lists and guests.",
  },
);

const { id, name, icon } = WorkspaceSchema.example;

const WorkspaceEntrySchema = resource(
  "WorkspaceEntry",
  {
    ...WorkspaceSummarySchema.properties,
    isSuspended: Type.Boolean({
      description:
        "Whether the workspace is suspended: its bots do not chat and cannot be read or changed, and nothing can be added to it.",
    }),
    suspendedReason: nullable(
      Type.String({ description: "The administrator's reason for the suspension; null for GUESTs." }),
    ),
  },
  "A workspace in a list.",
);

const IconInput = nullable(
  Type.String({
    maxLength: limits.fields.iconCharacters,
    description: "An emoji or the URL of a picture; null clears the icon.",
  }),
);
const operation = operationFor("Workspaces");

export const workspaceOperations: readonly Operation[] = [
  operation({
    id: "listWorkspaces",
    route: "GET /api/v1/workspaces",
    ...pageOf({ workspaces: Type.Array(WorkspaceEntrySchema) }),
    answerExample: {
      workspaces: [{ id, name, icon, plan: WorkspaceSchema.example.plan, isSuspended: false, suspendedReason: null }],
    },
    handle: async (deps, { caller, query }) => listWorkspaces(deps, caller, query),
  }),
  operation({
    id: "createWorkspace",
    route: "POST /api/v1/workspaces",
    body: Type.Object({ name: NameInput, icon: Type.Optional(IconInput) }),
    answer: Type.Object({ workspace: WorkspaceSchema }),
    handle: async (deps, { caller, body }) => ({
      workspace: await createWorkspace(deps, caller, { name: body.name, icon: body.icon ?? null }),
    }),
  }),
  operation({
    id: "getWorkspace",
    route: "GET /api/v1/workspaces/:workspaceId",
    answer: Type.Object({
      workspace: Type.Union([WorkspaceSchema, WorkspaceSummarySchema]),
      currentUserMode: oneOf(userModes),
    }),
    version: ({ workspace }) => ("updatedAt" in workspace ? workspace.updatedAt : undefined),
    answerExample: { workspace: WorkspaceSchema.example, currentUserMode: "write" },
    handle: async (deps, { caller, params }) => getWorkspace(deps, caller, params.workspaceId),
  }),
  operation({
    id: "updateWorkspace",
    route: "PATCH /api/v1/workspaces/:workspaceId",
    body: Type.Object({ name: Type.Optional(NameInput), icon: Type.Optional(IconInput) }),
    answer: Type.Object({ workspace: WorkspaceSchema }),
    version: ({ workspace }) => workspace.updatedAt,
    shownWith: { currentUserMode: "write" },
    errors: ["workspace.forbidden", "precondition.failed"],
    handle: async (deps, { caller, params, body, seen }) => ({
      workspace: await updateWorkspace(deps, caller, params.workspaceId, { ...body, seen }),
    }),
  }),
  operation({
    id: "deleteWorkspace",
    route: "DELETE /api/v1/workspaces/:workspaceId",
    answer: Type.Object({ message: Type.String() }),
    errors: ["workspace.forbidden", "precondition.failed"],
    handle: async (deps, { caller, params, seen }) => {
      await deleteWorkspace(deps, caller, params.workspaceId, seen);
      return { message: "Workspace deleted" };
    },
  }),
];
