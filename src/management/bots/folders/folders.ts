import { AppError } from "../../../errors.ts";
import { violatedConstraint } from "../../../platform/database/violations.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { requireSeen, type Seen } from "../../../platform/http/requests/seen.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { endChats } from "../deletion.ts";
import { findLinkingBots, type LinkingBot } from "../linking-bots.sql.ts";
import { binFolder, binFolderWithContent } from "./deleted-folders.sql.ts";
import { inFolderTurn } from "./folder-turns.ts";
import {
  type FolderRow,
  findFolderAccess,
  insertFolder,
  liesInside,
  listAllFolders,
  listFolders as listFolderRows,
  updateFolder as updateFolderRow,
} from "./folders.sql.ts";

/** The address of a folder. A caller who also names a workspace must name the folder's workspace. */
export type FolderAddress = { readonly folderId: string; readonly workspaceId: string | undefined };

/**
 * Returns the direct children of a folder or of the workspace, newest first. With `isDeep`, returns all folders in the
 * workspace. Requires ADMIN or MEMBER, like all operations on folders.
 */
export async function listFolders(
  deps: ManagementDependencies,
  caller: Caller,
  {
    workspaceId,
    parentFolderId,
    isDeep = false,
    ...request
  }: { workspaceId: string; parentFolderId: string | null; isDeep?: boolean | undefined } & PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  if (isDeep) {
    const page = readPage("folders", request, [workspaceId, "deep"]);
    const { rows: folders, ...rest } = cutPage({
      rows: await listAllFolders(deps.sql, { workspaceId, ...page.part }),
      page,
    });
    return { folders, ...rest };
  }
  if (parentFolderId !== null) await getFolder(deps, caller, { folderId: parentFolderId, workspaceId });
  const page = readPage("folders", request, [workspaceId, parentFolderId]);
  const rows = await listFolderRows(deps.sql, { workspaceId, parentFolderId, ...page.part });
  const { rows: folders, ...rest } = cutPage({ rows, page });
  return { folders, ...rest };
}

/**
 * Returns a folder if the caller is ADMIN or MEMBER of its workspace, and otherwise throws `folder.not_found`. With
 * `isDeleted`, finds only a folder in the bin.
 */
export async function getFolder(
  deps: ManagementDependencies,
  caller: Caller,
  { folderId, workspaceId }: FolderAddress,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Promise<FolderRow> {
  const access = { folderId, userId: caller.userId, isDeleted };
  const found = isId(folderId) ? await findFolderAccess(deps.sql, access) : undefined;
  if (!found || (found.role !== "ADMIN" && found.role !== "MEMBER")) throw new AppError("folder.not_found");
  const isNamedWrong = workspaceId !== undefined && workspaceId !== found.workspaceId;
  const isElsewhere = caller.workspaceId !== undefined && caller.workspaceId !== found.workspaceId;
  if (isNamedWrong || isElsewhere) throw new AppError("folder.not_found");
  await caller.place.take(found.workspaceId);
  const { role: _, ...folder } = found;
  return folder;
}

export async function createFolder(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, parentFolderId, name }: { workspaceId: string; parentFolderId: string | null; name: string },
): Promise<FolderRow> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  if (parentFolderId !== null && !isId(parentFolderId)) throw new AppError("folder.not_found");
  const folder = await insertFolder(deps.sql, { id: newId(), workspaceId, parentFolderId, name }).catch(parentIsGone);
  if (!folder) throw new AppError("folder.not_found");
  return folder;
}

/**
 * Writes the given fields and retains all others. A null parent moves the folder to the top. Throws `folder.cycle` if
 * the folder would be moved into itself or into a folder inside it.
 */
export async function updateFolder(
  deps: ManagementDependencies,
  caller: Caller,
  address: FolderAddress,
  { seen, ...changes }: { name?: string | undefined; parentFolderId?: string | null | undefined; seen: Seen },
): Promise<FolderRow> {
  const { id, workspaceId } = await getFolder(deps, caller, address);
  const { parentFolderId } = changes;
  if (parentFolderId !== undefined) await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  if (typeof parentFolderId === "string" && !isId(parentFolderId)) throw new AppError("folder.not_found");
  // Two concurrent moves could be valid separately and form a cycle together, so moves run one after another.
  const folder = await inFolderTurn(deps.sql, [workspaceId], async (transaction) => {
    const makesCycle =
      typeof parentFolderId === "string" &&
      (await liesInside(transaction, { folderId: parentFolderId, outerFolderId: id }));
    if (makesCycle) throw new AppError("folder.cycle");
    return updateFolderRow(transaction, { id, workspaceId }, { ...changes, seen });
  });
  if (folder) return folder;
  requireSeen(seen, (await getFolder(deps, caller, address)).updatedAt);
  throw new AppError("folder.not_found");
}

/**
 * Moves a folder to the bin and returns its former state. Its content moves to the parent folder. With `isWithContent`,
 * the content moves to the bin too: the chats of its bots end, and `linkedFrom` contains the bots that link to them.
 */
export async function deleteFolder(
  deps: ManagementDependencies,
  caller: Caller,
  address: FolderAddress,
  { isWithContent, seen }: { isWithContent: boolean; seen: Seen },
): Promise<{ folder: FolderRow; linkedFrom: LinkingBot[] }> {
  const { id, workspaceId } = await getFolder(deps, caller, address);
  const { folder, botIds } = await inFolderTurn(deps.sql, [workspaceId], async (transaction) => {
    const binned = await (isWithContent ? binFolderWithContent(transaction, id) : binFolder(transaction, id));
    if (!binned) throw new AppError("folder.not_found");
    requireSeen(seen, binned.folder.updatedAt);
    return binned;
  });
  if (!isWithContent) return { folder, linkedFrom: [] };
  await endChats(deps, { workspaceId, deletedWith: id });
  const { userId } = caller;
  return { folder, linkedFrom: await findLinkingBots(deps.sql, { userId, workspaceIds: [workspaceId], botIds }) };
}

/** Returns undefined if the parent was deleted while a folder was created in it. Rethrows any other error. */
function parentIsGone(error: unknown): undefined {
  if (violatedConstraint(error) !== "folders_parent_folder_id_fkey") throw error;
  return undefined;
}
