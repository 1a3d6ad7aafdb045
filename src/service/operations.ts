import { channelWebhookOperations } from "../channels/routes/channel-webhooks.routes.ts";
import { channelOperations } from "../channels/routes/channels.routes.ts";
import { impactOperations } from "../chat/recorded/impact.routes.ts";
import { testConversationOperations } from "../chat/recorded/test-conversations.routes.ts";
import { transcriptOperations } from "../chat/recorded/transcripts.routes.ts";
import { automationOperations } from "../chat/routes/automation.routes.ts";
import { callbackOperations } from "../chat/routes/callbacks.routes.ts";
import { chatOperations } from "../chat/routes/chat.routes.ts";
import { goingBackOperations } from "../chat/routes/going-back.routes.ts";
import { httpBlockOperations } from "../chat/routes/http-blocks.routes.ts";
import { paymentOperations } from "../chat/routes/payments.routes.ts";
import { ratingOperations } from "../chat/routes/ratings.routes.ts";
import { sessionEventOperations } from "../chat/routes/session-events.routes.ts";
import { sessionMoveOperations } from "../chat/routes/session-moves.routes.ts";
import { sessionTraceOperations } from "../chat/routes/session-traces.routes.ts";
import { stopAnswerOperations } from "../chat/routes/stop-answer.routes.ts";
import { streamMessageOperations } from "../chat/routes/stream-message.routes.ts";
import { suggestionOperations } from "../chat/routes/suggestions.routes.ts";
import { uploadOperations } from "../chat/routes/uploads.routes.ts";
import { versionChatOperations } from "../chat/routes/version-chats.routes.ts";
import { webhookOperations } from "../chat/routes/webhooks.routes.ts";
import { binOperations } from "../management/bin/routes.ts";
import { blockTypeOperations } from "../management/block-types/routes.ts";
import { commentOperations } from "../management/bots/comments/routes.ts";
import { draftChangeOperations } from "../management/bots/drafts/draft-changes.routes.ts";
import { draftHistoryOperations } from "../management/bots/drafts/draft-history.routes.ts";
import { liveOperations } from "../management/bots/drafts/live-drafts.routes.ts";
import { presenceOperations } from "../management/bots/drafts/presences.routes.ts";
import { fieldOptionOperations } from "../management/bots/field-options.routes.ts";
import { folderOperations } from "../management/bots/folders/routes.ts";
import { botFileOperations } from "../management/bots/places/bot-files.routes.ts";
import { botPlaceOperations } from "../management/bots/places/bot-places.routes.ts";
import { botOperations } from "../management/bots/routes.ts";
import { canaryOperations } from "../management/bots/versions/canaries.routes.ts";
import { importedPublicationOperations } from "../management/bots/versions/imported-publications.routes.ts";
import { lintOperations } from "../management/bots/versions/lint.routes.ts";
import { publicationOperations } from "../management/bots/versions/publications.routes.ts";
import { versionOperations } from "../management/bots/versions/routes.ts";
import { conversationOperations } from "../management/channels/conversations.routes.ts";
import { channelConnectionOperations } from "../management/channels/routes.ts";
import { credentialTypeOperations } from "../management/credentials/credential-types.routes.ts";
import { googleAccountOperations } from "../management/credentials/google-accounts.routes.ts";
import { credentialsOperations } from "../management/credentials/routes.ts";
import { secretOperations } from "../management/credentials/secrets.routes.ts";
import { customDomainOperations } from "../management/domains/custom-domains.routes.ts";
import { eventDeliveryOperations } from "../management/events/event-deliveries.routes.ts";
import { eventEndpointOperations } from "../management/events/event-endpoints.routes.ts";
import { eventListenerOperations } from "../management/events/listeners/listeners.routes.ts";
import { workspaceFileOperations } from "../management/files/workspace-files.routes.ts";
import { figureOperations } from "../management/insight/figures/figures.routes.ts";
import { problemOperations } from "../management/insight/problems/problems.routes.ts";
import { insightOperations } from "../management/insight/routes.ts";
import { seriesOperations } from "../management/insight/series.routes.ts";
import { healthOperations } from "../management/instance/health.routes.ts";
import { instanceOperations } from "../management/instance/routes.ts";
import { modelBudgetOperations } from "../management/models/model-budgets.routes.ts";
import { modelUsageOperations } from "../management/models/model-usage.routes.ts";
import type { Operation } from "../management/operations/operation.ts";
import { paymentAccountOperations } from "../management/payments/routes.ts";
import { tokenOperations } from "../management/people/api-tokens.routes.ts";
import { collaboratorOperations } from "../management/people/members/collaborators.routes.ts";
import { invitationOperations } from "../management/people/members/invitations.routes.ts";
import { memberOperations } from "../management/people/members/routes.ts";
import { signInOperations } from "../management/people/sign-ins.routes.ts";
import { userOperations } from "../management/people/users.routes.ts";
import { personErasureOperations } from "../management/person-erasures/routes.ts";
import { exportOperations } from "../management/results/exports/exports.routes.ts";
import { resultExportOperations } from "../management/results/exports/result-exports.routes.ts";
import { importedResultOperations } from "../management/results/imported/imported-results.routes.ts";
import { resultRetentionOperations } from "../management/results/result-retention.routes.ts";
import { resultOperations } from "../management/results/routes.ts";
import { summaryOperations } from "../management/results/summary/summary.routes.ts";
import { auditOperations } from "../management/workspaces/audit.routes.ts";
import { brandOperations } from "../management/workspaces/brand.routes.ts";
import { workspaceOperations } from "../management/workspaces/routes.ts";
import { suspensionOperations } from "../management/workspaces/suspensions.routes.ts";
import { themeTemplateOperations } from "../management/workspaces/theme-templates.routes.ts";

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
  ...commentOperations,
  ...botFileOperations,
  ...botPlaceOperations,
  ...binOperations,
  ...publicationOperations,
  ...importedPublicationOperations,
  ...versionOperations,
  ...testConversationOperations,
  ...canaryOperations,
  ...lintOperations,
  ...impactOperations,
  ...collaboratorOperations,
  ...customDomainOperations,
  ...modelBudgetOperations,
  ...modelUsageOperations,
  ...credentialTypeOperations,
  ...credentialsOperations,
  ...paymentAccountOperations,
  ...googleAccountOperations,
  ...secretOperations,
  ...brandOperations,
  ...themeTemplateOperations,
  ...workspaceFileOperations,
  ...resultOperations,
  ...resultExportOperations,
  ...summaryOperations,
  ...exportOperations,
  ...resultRetentionOperations,
  ...personErasureOperations,
  ...importedResultOperations,
  ...transcriptOperations,
  ...insightOperations,
  ...seriesOperations,
  ...figureOperations,
  ...problemOperations,
  ...signInOperations,
  ...userOperations,
  ...tokenOperations,
  ...auditOperations,
  ...chatOperations,
  ...goingBackOperations,
  ...stopAnswerOperations,
  ...ratingOperations,
  ...suggestionOperations,
  ...sessionEventOperations,
  ...versionChatOperations,
  ...sessionMoveOperations,
  ...sessionTraceOperations,
  ...paymentOperations,
  ...webhookOperations,
  ...callbackOperations,
  ...httpBlockOperations,
  ...channelOperations,
  ...channelWebhookOperations,
  ...channelConnectionOperations,
  ...conversationOperations,
  ...fieldOptionOperations,
  ...eventEndpointOperations,
  ...eventDeliveryOperations,
  ...eventListenerOperations,
  ...uploadOperations,
  ...streamMessageOperations,
  ...automationOperations,
  ...healthOperations,
  ...instanceOperations,
];

/**
 * All documented operations. The router serves them, the documentation lists them, and the contract tests cover them.
 * Some operations are included a second time, under the names that existing clients use.
 */
export const operations: readonly Operation[] = [
  ...ownOperations,
  ...ownOperations.flatMap(({ compatible }) => compatible ?? []),
];
