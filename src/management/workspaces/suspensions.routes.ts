import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { exampleTime, Id, nullable, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { WorkspaceSchema } from "./routes.ts";
import { listSuspended, resumeWorkspace, suspendWorkspace } from "./suspensions.ts";

const reason = "Payment has been open since March: write to billing@example.com";

const SuspendedWorkspaceSchema = resource(
  "SuspendedWorkspace",
  {
    id: Id,
    name: Type.String(),
    suspendedAt: Type.Unsafe<Date | string>({
      ...Timestamp,
      description: "Time since which the workspace is suspended.",
    }),
    suspendedReason: nullable(Type.String({ description: "The administrator's reason for the suspension." })),
  },
  "A suspended workspace.",
  { name: "Support team", suspendedReason: reason },
);

const operation = operationFor("Workspaces");

export const suspensionOperations: readonly Operation[] = [
  operation({
    id: "listSuspendedWorkspaces",
    route: "GET /api/v1/workspaces/suspended",
    auth: needsToken("admin"),
    ...pageOf({ workspaces: Type.Array(SuspendedWorkspaceSchema) }),
    handle: async (deps, { query }) => listSuspended(deps, query),
  }),
  operation({
    id: "suspendWorkspace",
    route: "POST /api/v1/workspaces/:workspaceId/suspend",
    auth: needsToken("admin"),
    body: Type.Object({
      reason: Type.String({
        minLength: 1,
        maxLength: limits.fields.noteCharacters,
        pattern: "\\S",
        expected: `a text of 1 to ${limits.fields.noteCharacters} characters that are not only blanks`,
        description: "Reason for the suspension. The workspace's people see it; visitors do not.",
      }),
    }),
    bodyExample: { reason },
    answer: Type.Object({ workspace: WorkspaceSchema }),
    answerExample: {
      workspace: { ...WorkspaceSchema.example, isSuspended: true, suspendedAt: exampleTime, suspendedReason: reason },
    },
    handle: async (deps, { params, body }) => ({
      workspace: await suspendWorkspace(deps, { workspaceId: params.workspaceId, reason: body.reason }),
    }),
  }),
  operation({
    id: "resumeWorkspace",
    route: "POST /api/v1/workspaces/:workspaceId/resume",
    auth: needsToken("admin"),
    answer: Type.Object({ workspace: WorkspaceSchema }),
    handle: async (deps, { params }) => ({ workspace: await resumeWorkspace(deps, params.workspaceId) }),
  }),
];
