import type { TokenRow } from "./tokens.sql.ts";

/** The fields of a token that determine its rights. */
export type TokenRights = Pick<
  TokenRow,
  "scope" | "workspaceId" | "workspaceName" | "workspaceRole" | "isOfAdministrator"
>;

/** Describes the rights of each role. */
const roleRights = {
  ADMIN: "everything in it",
  MEMBER: "its folders and bots, not its people",
  GUEST: "the bots that they collaborate on with WRITE",
} as const;

/**
 * Describes the rights of a token, with one sentence each for its scope, the places where the scope applies, and the
 * rights of its user's role.
 */
export function allowedBy(token: TokenRights): string[] {
  const { scope } = token;
  return [
    `Read what its user may read, ${placeOf(token)}.`,
    ...(scope === "read" ? [] : [writingOf(token)]),
    ...(scope === "admin" ? [administrationOf(token)] : []),
  ];
}

function placeOf({ workspaceId, workspaceName, workspaceRole }: TokenRights): string {
  if (workspaceId === null) return "in every workspace and bot that is shared with them";
  const role = workspaceRole === null ? "no member" : workspaceRole;
  return `in the workspace "${workspaceName ?? workspaceId}" and nowhere else, where they are ${role}`;
}

function writingOf({ workspaceId, workspaceRole }: TokenRights): string {
  if (workspaceId !== null) {
    return `Write there ${workspaceRole === null ? "nothing, while its user is not a member" : roleRights[workspaceRole]}.`;
  }
  const { ADMIN, MEMBER, GUEST } = roleRights;
  return `Write what their role in a workspace gives: as ADMIN ${ADMIN}, as MEMBER ${MEMBER}, as GUEST ${GUEST}.`;
}

function administrationOf({ workspaceId, isOfAdministrator }: TokenRights): string {
  if (workspaceId !== null) return "Nothing of the instance, although its scope is admin: it is bound to a workspace.";
  if (!isOfAdministrator) return "Nothing of the instance, though its scope is admin: its user is no administrator.";
  return "Administer the instance: users and their tokens, suspensions, the audit log, metrics and the job board.";
}
