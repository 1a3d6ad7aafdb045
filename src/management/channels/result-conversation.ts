import { AppError } from "../../errors.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type ContactAddress, findContactAddress } from "./conversations.sql.ts";

/**
 * Returns the workspace and the connection of a result's contact; undefined if the result has no contact, or if the
 * caller may not read the conversation.
 */
export async function conversationOfResult(
  deps: ManagementDependencies,
  caller: Caller,
  contactId: string | null,
): Promise<ContactAddress | undefined> {
  const address = contactId === null ? undefined : await findContactAddress(deps.sql, contactId);
  if (!address) return undefined;
  try {
    await requireWorkspace(deps, caller, address.workspaceId, "work");
    return address;
  } catch (error) {
    const isHidden =
      error instanceof AppError && (error.code === "workspace.not_found" || error.code === "workspace.forbidden");
    if (isHidden) return undefined;
    throw error;
  }
}
