import { type Static, Type } from "@sinclair/typebox";
import {
  described,
  exampleId,
  Id,
  IdInput,
  NextCursor,
  nullable,
  oneOf,
  PageQuery,
  resource,
  Timestamp,
  TimestampInput,
} from "../../platform/http/schemas.ts";
import {
  type AuditFilter,
  auditSubjects,
  exportWorkspaceAudit,
  listAudit,
  listWorkspaceAudit,
} from "../audit/audit.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

const AuditEntrySchema = resource(
  "AuditEntry",
  {
    id: Id,
    createdAt: Timestamp,
    workspaceId: nullable(Id),
    userId: nullable(Id),
    userName: nullable(Type.String({ description: "Their name at that time: they may be gone." })),
    tokenId: nullable(Id),
    tokenName: nullable(Type.String({ description: "Its name at that time: the token may be gone." })),
    address: nullable(Type.String({ description: "The client's address as rate limits count it." })),
    requestId: Type.String({ description: "`X-Request-Id` of the answer, also found in the log of the service." }),
    operation: Type.String({ description: "Method and path, as this documentation names them." }),
    subject: nullable(oneOf(auditSubjects, { description: "What was written." })),
    subjectIds: Type.Array(Type.String(), { description: "Ids of what was written; of secrets their names." }),
    outcome: oneOf(["begun", "done", "failed"], {
      description:
        "`failed` and `begun` may have written something or not: an error of the service, or a request whose end was never noted.",
    }),
    beforeHash: described(nullable(Hash), "SHA-256 of what it was before; null where there was nothing."),
    afterHash: described(nullable(Hash), "SHA-256 of what it is since; null where there is nothing any more."),
    changedPaths: Type.Array(Type.String(), {
      description: "Names of what changed, at most 100; never what it holds.",
    }),
    changedCount: Type.Integer({ description: "How many names of what changed there are in all." }),
  },
  "A write of the management API.",
  {
    userName: "Ada Lovelace",
    tokenName: "Deployment",
    address: "203.0.113.7",
    requestId: "5f0e2c5e-6f0b-4a57-9d0e-3f3a3b1f7c11",
    operation: "PATCH /api/v1/bots/{botId}",
    subject: "bot",
    subjectIds: [exampleId],
    outcome: "done",
    beforeHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    afterHash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    changedPaths: ["groups.g1", "name"],
    changedCount: 2,
  },
);

const filterFields = {
  userId: Type.Optional(described(IdInput, "Only what this user wrote.")),
  tokenId: Type.Optional(described(IdInput, "Only what was written with this token.")),
  operation: Type.Optional(
    Type.String({
      description: "Only what was written by this operation: method and path.",
      examples: ["PATCH /api/v1/bots/{botId}"],
    }),
  ),
  subject: Type.Optional(oneOf(auditSubjects, { description: "Only what was written to such things." })),
  subjectId: Type.Optional(Type.String({ description: "Only what was written to this thing.", examples: [exampleId] })),
  from: Type.Optional(described(TimestampInput, "From this moment on.")),
  to: Type.Optional(described(TimestampInput, "Until before this moment.")),
};
const FilterQuery = Type.Object(filterFields);
const ListQuery = Type.Object({ ...filterFields, ...PageQuery.properties });
const InstanceQuery = Type.Object({ workspaceId: Type.Optional(IdInput), ...ListQuery.properties });

const operation = operationFor("Audit log");
const answerType = "application/x-ndjson";

export const auditOperations: readonly Operation[] = [
  operation({
    id: "listAuditLog",
    route: "GET /api/v1/workspaces/:workspaceId/audit",
    summary: "List a workspace's audit log",
    description:
      "Newest first, for ADMINs. Every write of this API has an entry, which is there before the write begins; refused requests have none. " +
      "Entries say what changed by hash and name, never by content, and are kept for a year.",
    query: ListQuery,
    answer: Type.Object({ entries: Type.Array(AuditEntrySchema), nextCursor: NextCursor }),
    handle: async (deps, { caller, params, query }) =>
      listWorkspaceAudit(deps, caller, {
        ...filterOf(query),
        workspaceId: params.workspaceId,
        limit: query.limit,
        cursor: query.cursor,
      }),
  }),
  operation({
    id: "exportAuditLog",
    route: "GET /api/v1/workspaces/:workspaceId/audit/export",
    summary: "Export a workspace's audit log",
    description: "Each line is an entry as JSON, newest first. For ADMINs.",
    query: FilterQuery,
    answer: Type.String(),
    answerExample: `${JSON.stringify(AuditEntrySchema.example)}\n`,
    answerType,
    handle: async (deps, { caller, params, query }) => {
      const filter = { ...filterOf(query), workspaceId: params.workspaceId };
      const lines = await exportWorkspaceAudit(deps, caller, filter);
      return new Response(lines, { headers: { "Content-Type": answerType, "Cache-Control": "no-store" } });
    },
  }),
  operation({
    id: "listInstanceAuditLog",
    route: "GET /api/v1/audit",
    summary: "List the instance's audit log",
    description: "Writes in all workspaces, to users and to their tokens, newest first.",
    auth: needsToken("admin"),
    query: InstanceQuery,
    answer: Type.Object({ entries: Type.Array(AuditEntrySchema), nextCursor: NextCursor }),
    answerExample: { entries: [{ ...AuditEntrySchema.example, workspaceId: null }] },
    handle: async (deps, { query }) => {
      const { workspaceId, limit, cursor } = query;
      return listAudit(deps, { ...filterOf(query), workspaceId, limit, cursor });
    },
  }),
];

function filterOf({
  userId,
  tokenId,
  operation,
  subject,
  subjectId,
  from,
  to,
}: Static<typeof FilterQuery>): AuditFilter {
  return {
    userId,
    tokenId,
    operation,
    subject,
    subjectId,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}
