import { deleteOldPreviews } from "../chat/saves/anonymous-previews.sql.ts";
import { deleteOldNestedStarts } from "../chat/saves/nested-starts.sql.ts";
import { limits } from "../limits/index.ts";
import { deleteOldCodeMails, deleteOldCodes } from "../management/access/sign-in-codes.sql.ts";
import { deleteOldSignIns } from "../management/access/sign-ins.sql.ts";
import { deleteOldSets } from "../management/bots/drafts/bot-changes.sql.ts";
import { deleteOldPresences } from "../management/bots/drafts/presences.sql.ts";
import { markMovingChats } from "../management/bots/versions/moves/moving-chats.sql.ts";
import { deleteForgottenContacts } from "../management/channels/forgotten-contacts.ts";
import {
  deleteOldMessages,
  dropSuspended,
  eraseOldContent,
  removeDeletedConnections,
  removeLeftBehind,
} from "../management/channels/old-messages.sql.ts";
import { removeOldDeliveries } from "../management/events/delivery/queue.sql.ts";
import { deleteLeftListeners } from "../management/events/listeners/listeners.sql.ts";
import { deleteOldUploadDays } from "../management/files/days/upload-days.sql.ts";
import { returnReservations } from "../management/models/left-reservations.sql.ts";
import { deleteOldModelCalls } from "../management/models/model-calls.sql.ts";
import {
  deleteErasedResults,
  deleteExpiredSessions,
  deleteOldAnswers,
  deleteOldReports,
  deleteOldStartKeys,
} from "../management/row-erasure/clean-up.sql.ts";
import { deleteOld } from "../platform/database/deleted.sql.ts";
import type { Sql } from "../platform/database/sql.ts";
import { deleteOldRequestKeys } from "../platform/http/requests/request-keys.sql.ts";
import type { CleanUp } from "../platform/queue/clean-up.ts";
import { deletePaidDebts } from "../platform/rate-limits/rate-limits.sql.ts";

/** Returns the clean-up tasks that remove rows by age, and other tasks that process rows in batches. */
export function oldRows(sql: Sql): readonly CleanUp[] {
  const limit = limits.cleanUp.batch;
  return [
    { name: "expired-sessions", cron: "*/10 * * * *", removeSome: () => deleteExpiredSessions(sql, limit) },
    { name: "old-start-keys", cron: "*/10 * * * *", removeSome: () => deleteOldStartKeys(sql, limit) },
    { name: "old-request-keys", cron: "40 * * * *", removeSome: () => deleteOldRequestKeys(sql, limit) },
    { name: "old-reports", cron: "35 * * * *", removeSome: () => deleteOldReports(sql, limit) },
    {
      name: "old-answers-under-way",
      cron: "*/5 * * * *",
      removeSome: () => deleteOldAnswers(sql, { seconds: limits.streamedAnswers.deadSeconds, limit }),
    },
    { name: "old-previews", cron: "*/5 * * * *", removeSome: () => deleteOldPreviews(sql, limit) },
    {
      name: "old-nested-starts",
      cron: "20 * * * *",
      removeSome: () => deleteOldNestedStarts(sql, { seconds: limits.nestedStarts.rootSeconds, limit }),
    },
    { name: "old-model-calls", cron: "45 * * * *", removeSome: () => deleteOldModelCalls(sql, limit) },
    // Every five minutes is enough, because a call that finds no remaining budget returns expired reservations itself.
    { name: "left-reservations", cron: "*/5 * * * *", removeSome: () => returnReservations(sql, undefined) },
    { name: "old-sign-in-codes", cron: "55 * * * *", removeSome: () => deleteOldCodes(sql, limit) },
    { name: "old-code-mails", cron: "56 * * * *", removeSome: () => deleteOldCodeMails(sql, limit) },
    { name: "old-upload-days", cron: "57 * * * *", removeSome: () => deleteOldUploadDays(sql, limit) },
    { name: "old-sign-ins", cron: "5 4 * * *", removeSome: () => deleteOldSignIns(sql, limit) },
    { name: "old-presences", cron: "*/15 * * * *", removeSome: () => deleteOldPresences(sql, limit) },
    { name: "paid-rate-limits", cron: "50 * * * *", removeSome: () => deletePaidDebts(sql, limit) },
    { name: "moving-chats", cron: "*/5 * * * *", removeSome: () => markMovingChats(sql, { botId: undefined, limit }) },
    { name: "shells-of-results", cron: "10 4 * * *", removeSome: () => deleteErasedResults(sql, limit) },
    {
      name: "old-mails",
      cron: "15 4 * * *",
      removeSome: () => deleteOld(sql, { table: "mails", days: limits.mails.keptDays, limit }),
    },
    {
      name: "old-deferred-calls",
      cron: "16 4 * * *",
      removeSome: () => deleteOld(sql, { table: "deferred_calls", days: limits.deferredCalls.keptDays, limit }),
    },
    {
      name: "old-invitations",
      cron: "20 4 * * *",
      removeSome: () =>
        deleteOld(sql, { table: "invitations", at: "expires_at", days: limits.erasure.graceDays, limit }),
    },
    {
      name: "old-audit-entries",
      cron: "35 4 * * *",
      removeSome: () => deleteOld(sql, { table: "audit_entries", days: limits.audit.days, limit }),
    },
    {
      name: "old-change-sets",
      cron: "45 4 * * *",
      removeSome: () => deleteOldSets(sql, { days: limits.editing.logDays, sets: limits.editing.logSets, limit }),
    },
    {
      name: "left-event-listeners",
      cron: "*/5 * * * *",
      removeSome: () => deleteLeftListeners(sql, limits.events.listenerMinutes),
    },
    {
      name: "old-event-deliveries",
      cron: "30 * * * *",
      removeSome: () => removeOldDeliveries(sql, { days: limits.events.logDays, limit }),
    },
    { name: "deleted-connections", cron: "*/10 * * * *", removeSome: () => removeDeletedConnections(sql, limit) },
    { name: "old-channel-content", cron: "12 * * * *", removeSome: () => eraseOldContent(sql, limit) },
    {
      name: "suspended-channel-messages",
      cron: "22 * * * *",
      removeSome: () => dropSuspended(sql, { hours: limits.channels.suspendedHours, limit }),
    },
    {
      name: "unregistered-connections",
      cron: "*/10 * * * *",
      removeSome: () => removeLeftBehind(sql, { minutes: limits.channels.leftMinutes }),
    },
    {
      name: "old-channel-messages",
      cron: "40 4 * * *",
      removeSome: () => deleteOldMessages(sql, { days: limits.channels.rowDays, limit }),
    },
    {
      name: "forgotten-contacts",
      cron: "50 4 * * *",
      removeSome: () => deleteForgottenContacts(sql, { days: limits.channels.contactDays, limit }),
    },
    {
      name: "old-job-logs",
      cron: "25 4 * * *",
      removeSome: () => deleteOld(sql, { table: "job_logs", at: "at", days: limits.jobs.logDays, limit }),
    },
  ];
}
