import { limits } from "../../../limits/index.ts";
import { share } from "../../../platform/concurrency/share.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/ids.ts";
import { createGauges } from "../../../platform/observing/gauges.ts";
import type { Registry } from "../../../platform/observing/prometheus.ts";
import type { CleanUp } from "../../../platform/queue/clean-up.ts";
import { listAdminAddresses } from "../../access/admin-addresses.sql.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { countFull, type NearBound, takeNearBound } from "./upload-days.sql.ts";

type Parts = Pick<ManagementDependencies, "sql" | "log" | "mailer" | "config">;

/** The number of workspaces that one run notifies. */
const maxBatch = 20;

/**
 * Creates the task that notifies the ADMINs of a workspace by mail, at most once a day, that visitors have used most of
 * the daily upload limit. The process that marked the day sends the mail. If this process dies before that, no mail is
 * sent.
 */
export function nearlyFull(parts: Parts): CleanUp {
  const { sql, config } = parts;
  return {
    ...{ name: "nearly-full-days", cron: "* * * * *", did: "Notified" },
    async removeSome() {
      const near = await takeNearBound(sql, {
        megabytes: config.ANONYMOUS_MEGABYTES_A_DAY,
        share: limits.uploads.warnedShare,
        limit: maxBatch,
      });
      for (const one of near) await notify(parts, one);
      return near.length;
    },
  };
}

async function notify({ sql, log, mailer }: Parts, near: NearBound): Promise<void> {
  const { workspaceId, workspaceName, day, megabytes, usedMegabytes, isRefusing } = near;
  const sentence = isRefusing ? "Visitors' files are rejected until midnight" : "Visitors' files will soon be rejected";
  log.warn(sentence, { event: "storage.near_full", workspaceId, day, megabytes, usedMegabytes });
  const to = await listAdminAddresses(sql, { workspaceId, limit: limits.mails.recipients });
  if (to.length === 0) return;
  const text = [
    `${sentence} in the workspace ${workspaceName}: they uploaded ${usedMegabytes} MB of the ${megabytes} MB that one day (UTC) allows.`,
    "Chats continue, but without new files. Check the results of today: if somebody is filling the disk, close the bot, or ask for fewer and smaller files.",
    "The operator of the instance can raise the limit with ANONYMOUS_MEGABYTES_A_DAY.",
  ];
  const mail = { to, cc: [], bcc: [], subject: `${sentence}: ${workspaceName}`, body: { text: text.join("\n\n") } };
  const delivery = await mailer.send(mail, newId());
  if (delivery.kind === "failed")
    log.info("The workspace's ADMINs could not be notified by mail", { workspaceId, reason: delivery.reason });
}

const keptMs = 10_000;

/** Creates the gauges for `/metrics`, which cover all nodes together. */
export function createUploadGauges(sql: Sql): Registry {
  const { registry, add } = createGauges();
  const full = share(() => countFull(sql), { keptMs });
  add(
    "parley_workspaces_storage_full",
    "Number of workspaces whose visitors' files are rejected until the end of the day, on all nodes together.",
    // During an outage of the database, the unknown value is left out.
    () => full().catch(() => undefined),
  );
  return registry;
}
