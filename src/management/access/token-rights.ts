import type { TokenRow } from "./tokens.sql.ts";

/** The fields of a token that determine its rights. */
export type TokenRights = Pick<
  TokenRow,
  "scope" | "workspaceId" | "workspaceName" | "workspaceRole" | "isOfAdministrator"
>;

const roleRights = {
  ADMIN: "everything in the workspace",
  MEMBER: "the workspace's folders and bots, but not its people",
  GUEST: "the bots that they collaborate on with WRITE access",
} as const;

/**
 * Describes the rights of a token: one sentence about reading, one about writing unless the scope is `read`, and one
 * about administration if the scope is `admin`.
 */
export function allowedBy(token: TokenRights): string[] {
  const { scope } = token;
  return [
    `Read everything that its user may read, ${placeOf(token)}.`,
    ...(scope === "read" ? [] : [writingOf(token)]),
    ...(scope === "admin" ? [administrationOf(token)] : []),
  ];
}

function placeOf({ workspaceId, workspaceName, workspaceRole }: TokenRights): string {
  if (workspaceId === null) return "in every workspace and bot that is shared with the user";
  const role = workspaceRole === null ? "not a member" : workspaceRole;
  return `only in the workspace "${workspaceName ?? workspaceId}", where the user is ${role}`;
}

function writingOf({ workspaceId, workspaceRole }: TokenRights): string {
  if (workspaceId !== null) {
    return `Write in that workspace: ${workspaceRole === null ? "nothing, while its user is not a member" : roleRights[workspaceRole]}.`;
  }
  const { ADMIN, MEMBER, GUEST } = roleRights;
  return `Write what the user's role in a workspace allows: as ADMIN ${ADMIN}, as MEMBER ${MEMBER}, as GUEST ${GUEST}.`;
}

function administrationOf({ workspaceId, isOfAdministrator }: TokenRights): string {
  if (workspaceId !== null)
    return "No administration of the instance, although its scope is admin, because the token is bound to a workspace.";
  if (!isOfAdministrator)
    return "No administration of the instance, although its scope is admin, because its user is not an administrator.";
  return "Administer the instance: users and their tokens, suspensions, the audit log, metrics and the job board.";
}
