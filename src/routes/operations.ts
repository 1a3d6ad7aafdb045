import { botOperations } from "./bots.ts";
import { chatOperations } from "./chat.ts";
import { collaboratorOperations } from "./collaborators.ts";
import { folderOperations } from "./folders.ts";
import { healthOperations } from "./health.ts";
import type { Operation } from "./http/operation.ts";
import { invitationOperations } from "./invitations.ts";
import { memberOperations } from "./members.ts";
import { publicationOperations } from "./publications.ts";
import { resultOperations } from "./results.ts";
import { tokenOperations } from "./tokens.ts";
import { userOperations } from "./users.ts";
import { webhookOperations } from "./webhooks.ts";
import { workspaceOperations } from "./workspaces.ts";

/** Every documented operation: what the router serves, the documentation lists and the contract tests demand. */
export const operations: readonly Operation[] = [
  ...workspaceOperations,
  ...memberOperations,
  ...invitationOperations,
  ...folderOperations,
  ...botOperations,
  ...publicationOperations,
  ...collaboratorOperations,
  ...resultOperations,
  ...userOperations,
  ...tokenOperations,
  ...chatOperations,
  ...webhookOperations,
  ...healthOperations,
];
