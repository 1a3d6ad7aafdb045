import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import {
  deleteCollaborator,
  listCollaborators as listCollaboratorRows,
  putCollaborator as putCollaboratorRow,
} from "../store/collaborators.ts";
import { type Caller, requireBot, requireWorkspace } from "./access.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";

/** A bot's collaborators, newest first. */
export async function listCollaborators(deps: Dependencies, caller: Caller, botId: string, request: PageRequest) {
  await requireBot(deps, caller, botId, "read");
  const page = readPage("collaborators", request);
  const rows = await listCollaboratorRows(deps.sql, { botId, after: page.after, limit: page.size + 1 });
  const { rows: collaborators, ...rest } = cutPage("collaborators", { rows, page });
  return { collaborators, ...rest };
}

/**
 * Lets a user read or write one bot; who is no member of its workspace becomes a GUEST there. For ADMIN and MEMBER: a
 * collaborator cannot bring in others.
 */
export async function putCollaborator(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  { userId, type }: { userId: string; type: "READ" | "WRITE" },
) {
  const workspaceId = await requireTeam(deps, caller, botId);
  const row = isId(userId) ? await putCollaboratorRow(deps.sql, { botId, workspaceId, userId, type }) : undefined;
  if (!row) throw new AppError("user.not_found");
  return row;
}

/** Ends a collaboration: for ADMIN and MEMBER, and for the collaborator. */
export async function removeCollaborator(
  deps: Dependencies,
  caller: Caller,
  botId: string,
  userId: string,
): Promise<void> {
  if (userId === caller.userId) await requireBot(deps, caller, botId, "read");
  else await requireTeam(deps, caller, botId);
  const isGone = isId(userId) && (await deleteCollaborator(deps.sql, { botId, userId }));
  if (!isGone) throw new AppError("collaborator.not_found");
}

async function requireTeam(deps: Dependencies, caller: Caller, botId: string): Promise<string> {
  const { workspaceId } = await requireBot(deps, caller, botId, "write");
  await requireWorkspace(deps, caller, workspaceId, "work");
  return workspaceId;
}
