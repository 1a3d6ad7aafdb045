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
    userName: nullable(Type.String({ description: "Name of the user at that time; the user may no longer exist." })),
    tokenId: nullable(Id),
    tokenName: nullable(Type.String({ description: "Name of the token at that time; the token may no longer exist." })),
    address: nullable(Type.String({ description: "IP address of the client, as used for rate limits." })),
    requestId: Type.String({
      description: "The value of the response's `X-Request-Id` header. The log of the service contains this id.",
    }),
    operation: Type.String({ description: "Method and path of the operation, such as `PATCH /api/v1/bots/{botId}`." }),
    subject: nullable(oneOf(auditSubjects, { description: "The kind of the written object." })),
    subjectIds: Type.Array(Type.String(), { description: "Ids of the written objects; names for secrets." }),
    outcome: oneOf(["begun", "done", "failed"], {
      description:
        "The outcome. After `failed` (an error of the service) and `begun` (the end of the request was not recorded), the write may or may not have taken effect.",
    }),
    beforeHash: described(
      nullable(Hash),
      "SHA-256 of the object before the write; null if there was no object, or if it changed together with its folder.",
    ),
    afterHash: described(nullable(Hash), "SHA-256 of the object after the write; null if the object no longer exists."),
    changedPaths: Type.Array(Type.String(), {
      description:
        "Names of the changed fields, at most 100, without their values. If several objects changed, each name begins with the object's id.",
    }),
    changedCount: Type.Integer({ description: "Total number of changed fields." }),
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
  userId: Type.Optional(described(IdInput, "Returns only writes by this user.")),
  tokenId: Type.Optional(described(IdInput, "Returns only writes with this token.")),
  operation: Type.Optional(
    Type.String({
      description: "Returns only writes by this operation: method and path.",
      examples: ["PATCH /api/v1/bots/{botId}"],
    }),
  ),
  subject: Type.Optional(oneOf(auditSubjects, { description: "Returns only writes to this kind of object." })),
  subjectId: Type.Optional(Type.String({ description: "Returns only writes to this object.", examples: [exampleId] })),
  from: Type.Optional(described(TimestampInput, "Start of the window (inclusive).")),
  to: Type.Optional(described(TimestampInput, "End of the window (exclusive).")),
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
