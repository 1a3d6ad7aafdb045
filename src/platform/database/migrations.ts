import foundation from "../../../sql/migrations/0001_foundation.sql" with { type: "text" };
import queue from "../../../sql/migrations/0002_queue.sql" with { type: "text" };
import outboundEvents from "../../../sql/migrations/0003_outbound_events.sql" with { type: "text" };
import uploads from "../../../sql/migrations/0004_uploads.sql" with { type: "text" };
import largeTables from "../../../sql/migrations/0005_large_tables.sql" with { type: "text" };
import hotPath from "../../../sql/migrations/0006_hot_path.sql" with { type: "text" };
import pausedQueues from "../../../sql/migrations/0007_paused_queues.sql" with { type: "text" };
import startClaims from "../../../sql/migrations/0008_start_claims.sql" with { type: "text" };
import claims from "../../../sql/migrations/0009_claims.sql" with { type: "text" };
import logOrder from "../../../sql/migrations/0010_log_order.sql" with { type: "text" };
import eventLanes from "../../../sql/migrations/0011_event_lanes.sql" with { type: "text" };
import rateLimits from "../../../sql/migrations/0012_rate_limits.sql" with { type: "text" };
import invitationsOfBots from "../../../sql/migrations/0013_invitations_of_bots.sql" with { type: "text" };
import previewedBy from "../../../sql/migrations/0014_previewed_by.sql" with { type: "text" };
import anonymousPreviews from "../../../sql/migrations/0015_anonymous_previews.sql" with { type: "text" };
import eventIndexes from "../../../sql/migrations/0016_event_indexes.sql" with { type: "text" };
import goingBack from "../../../sql/migrations/0017_going_back.sql" with { type: "text" };
import customDomains from "../../../sql/migrations/0018_custom_domains.sql" with { type: "text" };
import botSearch from "../../../sql/migrations/0019_bot_search.sql" with { type: "text" };
import credentials from "../../../sql/migrations/0020_credentials.sql" with { type: "text" };
import versions from "../../../sql/migrations/0021_versions.sql" with { type: "text" };
import chatsByVersion from "../../../sql/migrations/0022_chats_by_version.sql" with { type: "text" };
import bin from "../../../sql/migrations/0023_bin.sql" with { type: "text" };
import overruledRules from "../../../sql/migrations/0024_overruled_rules.sql" with { type: "text" };
import resultValues from "../../../sql/migrations/0025_result_values.sql" with { type: "text" };
import testConversations from "../../../sql/migrations/0026_test_conversations.sql" with { type: "text" };
import audit from "../../../sql/migrations/0027_audit.sql" with { type: "text" };
import effectReports from "../../../sql/migrations/0028_effect_reports.sql" with { type: "text" };
import binIndexes from "../../../sql/migrations/0029_bin_indexes.sql" with { type: "text" };
import deactivatedUsers from "../../../sql/migrations/0030_deactivated_users.sql" with { type: "text" };
import resultNotes from "../../../sql/migrations/0031_result_notes.sql" with { type: "text" };
import resultTags from "../../../sql/migrations/0032_result_tags.sql" with { type: "text" };
import resultExports from "../../../sql/migrations/0033_result_exports.sql" with { type: "text" };
import resultRetention from "../../../sql/migrations/0034_result_retention.sql" with { type: "text" };
import binnedResults from "../../../sql/migrations/0035_binned_results.sql" with { type: "text" };
import personErasures from "../../../sql/migrations/0036_person_erasures.sql" with { type: "text" };
import stepInputs from "../../../sql/migrations/0037_step_inputs.sql" with { type: "text" };
import requestKeys from "../../../sql/migrations/0038_request_keys.sql" with { type: "text" };
import suspensions from "../../../sql/migrations/0039_suspensions.sql" with { type: "text" };
import insight from "../../../sql/migrations/0040_insight.sql" with { type: "text" };
import themeTemplates from "../../../sql/migrations/0041_theme_templates.sql" with { type: "text" };
import workspaceFiles from "../../../sql/migrations/0042_workspace_files.sql" with { type: "text" };
import modelBudgets from "../../../sql/migrations/0043_model_budgets.sql" with { type: "text" };
import answersUnderWay from "../../../sql/migrations/0044_answers_under_way.sql" with { type: "text" };
import botChanges from "../../../sql/migrations/0045_bot_changes.sql" with { type: "text" };
import presences from "../../../sql/migrations/0046_presences.sql" with { type: "text" };
import stepTraces from "../../../sql/migrations/0047_step_traces.sql" with { type: "text" };
import previewFileIndex from "../../../sql/migrations/0048_preview_file_index.sql" with { type: "text" };
import signIns from "../../../sql/migrations/0049_sign_ins.sql" with { type: "text" };
import appAddress from "../../../sql/migrations/0050_app_address.sql" with { type: "text" };
import draftRevisions from "../../../sql/migrations/0051_draft_revisions.sql" with { type: "text" };
import changeOrigins from "../../../sql/migrations/0052_change_origins.sql" with { type: "text" };
import nestedStarts from "../../../sql/migrations/0053_nested_starts.sql" with { type: "text" };
import knownTimelines from "../../../sql/migrations/0054_known_timelines.sql" with { type: "text" };
import exportParts from "../../../sql/migrations/0055_export_parts.sql" with { type: "text" };
import sentOfReservations from "../../../sql/migrations/0056_sent_of_reservations.sql" with { type: "text" };
import placesOfPresences from "../../../sql/migrations/0057_places_of_presences.sql" with { type: "text" };
import inviters from "../../../sql/migrations/0058_inviters.sql" with { type: "text" };

/** One file of sql/migrations: its name without the ending, and its statements. */
export type Migration = { readonly name: string; readonly text: string };

/** Every migration in order, embedded in the binary. A test keeps this list and the folder equal. */
export const migrations: readonly Migration[] = [
  { name: "0001_foundation", text: foundation },
  { name: "0002_queue", text: queue },
  { name: "0003_outbound_events", text: outboundEvents },
  { name: "0004_uploads", text: uploads },
  { name: "0005_large_tables", text: largeTables },
  { name: "0006_hot_path", text: hotPath },
  { name: "0007_paused_queues", text: pausedQueues },
  { name: "0008_start_claims", text: startClaims },
  { name: "0009_claims", text: claims },
  { name: "0010_log_order", text: logOrder },
  { name: "0011_event_lanes", text: eventLanes },
  { name: "0012_rate_limits", text: rateLimits },
  { name: "0013_invitations_of_bots", text: invitationsOfBots },
  { name: "0014_previewed_by", text: previewedBy },
  { name: "0015_anonymous_previews", text: anonymousPreviews },
  { name: "0016_event_indexes", text: eventIndexes },
  { name: "0017_going_back", text: goingBack },
  { name: "0018_custom_domains", text: customDomains },
  { name: "0019_bot_search", text: botSearch },
  { name: "0020_credentials", text: credentials },
  { name: "0021_versions", text: versions },
  { name: "0022_chats_by_version", text: chatsByVersion },
  { name: "0023_bin", text: bin },
  { name: "0024_overruled_rules", text: overruledRules },
  { name: "0025_result_values", text: resultValues },
  { name: "0026_test_conversations", text: testConversations },
  { name: "0027_audit", text: audit },
  { name: "0028_effect_reports", text: effectReports },
  { name: "0029_bin_indexes", text: binIndexes },
  { name: "0030_deactivated_users", text: deactivatedUsers },
  { name: "0031_result_notes", text: resultNotes },
  { name: "0032_result_tags", text: resultTags },
  { name: "0033_result_exports", text: resultExports },
  { name: "0034_result_retention", text: resultRetention },
  { name: "0035_binned_results", text: binnedResults },
  { name: "0036_person_erasures", text: personErasures },
  { name: "0037_step_inputs", text: stepInputs },
  { name: "0038_request_keys", text: requestKeys },
  { name: "0039_suspensions", text: suspensions },
  { name: "0040_insight", text: insight },
  { name: "0041_theme_templates", text: themeTemplates },
  { name: "0042_workspace_files", text: workspaceFiles },
  { name: "0043_model_budgets", text: modelBudgets },
  { name: "0044_answers_under_way", text: answersUnderWay },
  { name: "0045_bot_changes", text: botChanges },
  { name: "0046_presences", text: presences },
  { name: "0047_step_traces", text: stepTraces },
  { name: "0048_preview_file_index", text: previewFileIndex },
  { name: "0049_sign_ins", text: signIns },
  { name: "0050_app_address", text: appAddress },
  { name: "0051_draft_revisions", text: draftRevisions },
  { name: "0052_change_origins", text: changeOrigins },
  { name: "0053_nested_starts", text: nestedStarts },
  { name: "0054_known_timelines", text: knownTimelines },
  { name: "0055_export_parts", text: exportParts },
  { name: "0056_sent_of_reservations", text: sentOfReservations },
  { name: "0057_places_of_presences", text: placesOfPresences },
  { name: "0058_inviters", text: inviters },
];
