import { auditOperations } from "./audit.ts";
import { automationOperations } from "./automation.ts";
import { binOperations } from "./bin.ts";
import { blockTypeOperations } from "./block-types.ts";
import { botFileOperations } from "./bot-files.ts";
import { botPlaceOperations } from "./bot-places.ts";
import { botOperations } from "./bots.ts";
import { broughtResultOperations } from "./brought-results.ts";
import { canaryOperations } from "./canaries.ts";
import { chatOperations } from "./chat.ts";
import { collaboratorOperations } from "./collaborators.ts";
import { credentialsOperations } from "./credentials.ts";
import { customDomainOperations } from "./custom-domains.ts";
import { draftChangeOperations } from "./draft-changes.ts";
import { draftHistoryOperations } from "./draft-history.ts";
import { eventDeliveryOperations } from "./event-deliveries.ts";
import { eventEndpointOperations } from "./event-endpoints.ts";
import { folderOperations } from "./folders.ts";
import { healthOperations } from "./health.ts";
import type { Operation } from "./http/operation.ts";
import { httpBlockOperations } from "./http-blocks.ts";
import { impactOperations } from "./impact.ts";
import { insightOperations } from "./insight.ts";
import { instanceOperations } from "./instance.ts";
import { invitationOperations } from "./invitations.ts";
import { keptExportOperations } from "./kept-exports.ts";
import { lintOperations } from "./lint.ts";
import { liveOperations } from "./live.ts";
import { memberOperations } from "./members.ts";
import { modelBudgetOperations } from "./model-budgets.ts";
import { modelUsageOperations } from "./model-usage.ts";
import { personErasureOperations } from "./person-erasures.ts";
import { presenceOperations } from "./presences.ts";
import { publicationOperations } from "./publications.ts";
import { resultExportOperations } from "./result-exports.ts";
import { resultRetentionOperations } from "./result-retention.ts";
import { resultOperations } from "./results.ts";
import { secretOperations } from "./secrets.ts";
import { sessionMoveOperations } from "./session-moves.ts";
import { sessionTraceOperations } from "./session-traces.ts";
import { signInOperations } from "./sign-ins.ts";
import { stopAnswerOperations } from "./stop-answer.ts";
import { streamMessageOperations } from "./stream-message.ts";
import { suspensionOperations } from "./suspensions.ts";
import { testConversationOperations } from "./test-conversations.ts";
import { themeTemplateOperations } from "./theme-templates.ts";
import { tokenOperations } from "./tokens.ts";
import { transcriptOperations } from "./transcripts.ts";
import { uploadOperations } from "./uploads.ts";
import { userOperations } from "./users.ts";
import { versionChatOperations } from "./version-chats.ts";
import { versionOperations } from "./versions.ts";
import { webhookOperations } from "./webhooks.ts";
import { workspaceFileOperations } from "./workspace-files.ts";
import { workspaceOperations } from "./workspaces.ts";

const ownOperations: readonly Operation[] = [
  ...workspaceOperations,
  ...suspensionOperations,
  ...memberOperations,
  ...invitationOperations,
  ...folderOperations,
  ...botOperations,
  ...blockTypeOperations,
  ...draftChangeOperations,
  ...draftHistoryOperations,
  ...liveOperations,
  ...presenceOperations,
  ...botFileOperations,
  ...botPlaceOperations,
  ...binOperations,
  ...publicationOperations,
  ...versionOperations,
  ...testConversationOperations,
  ...canaryOperations,
  ...lintOperations,
  ...impactOperations,
  ...collaboratorOperations,
  ...customDomainOperations,
  ...modelBudgetOperations,
  ...modelUsageOperations,
  ...credentialsOperations,
  ...secretOperations,
  ...themeTemplateOperations,
  ...workspaceFileOperations,
  ...resultOperations,
  ...resultExportOperations,
  ...keptExportOperations,
  ...resultRetentionOperations,
  ...personErasureOperations,
  ...broughtResultOperations,
  ...transcriptOperations,
  ...insightOperations,
  ...signInOperations,
  ...userOperations,
  ...tokenOperations,
  ...auditOperations,
  ...chatOperations,
  ...stopAnswerOperations,
  ...versionChatOperations,
  ...sessionMoveOperations,
  ...sessionTraceOperations,
  ...webhookOperations,
  ...httpBlockOperations,
  ...eventEndpointOperations,
  ...eventDeliveryOperations,
  ...uploadOperations,
  ...streamMessageOperations,
  ...automationOperations,
  ...healthOperations,
  ...instanceOperations,
];

/**
 * Every documented operation: what the router serves, the documentation lists and the contract tests demand. Those that
 * existing clients know come a second time, in their names.
 */
export const operations: readonly Operation[] = [
  ...ownOperations,
  ...ownOperations.flatMap(({ compatible }) => compatible ?? []),
];
