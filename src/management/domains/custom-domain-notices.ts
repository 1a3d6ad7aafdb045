import { limits } from "../../limits/index.ts";
import { newId } from "../../platform/ids.ts";
import { listAdminAddresses } from "../access/admin-addresses.sql.ts";
import { servedUntil } from "./custom-domain-states.ts";
import type { CustomDomainRow } from "./custom-domains.sql.ts";
import type { DomainDependencies } from "./dependencies.ts";
import { placesOfProof } from "./domain-proof.ts";

/** Returns the advice for a claim; null if no action is needed. */
export function adviceFor(row: CustomDomainRow): string | null {
  if (row.unprovedSince === null) return null;
  const { record, file } = placesOfProof(row);
  return (
    `Add a TXT record named ${record.name} with the value ${record.value}, or let the domain's web server return that value at ` +
    `${file.url}. ${furtherAdvice[row.state]}`
  );
}

const furtherAdvice = {
  pending: "Parley checks every few minutes on the first day, then hourly; POST …/verify checks immediately.",
  failed: "Then send POST …/verify, because automatic checks have ended.",
  verified: "Bots are served at the domain until `servedUntil`, and after that only if the proof is present again.",
} as const;

/**
 * Logs a warning and notifies the workspace's ADMINs by mail when the proof of a served domain is missing, and when the
 * domain is no longer served. The process that saved the check sends the notice. If this process dies before it sends
 * the mail, the claim still shows the notice.
 */
export async function notifyOfLoss(
  { sql, log, mailer }: Pick<DomainDependencies, "sql" | "log" | "mailer">,
  before: CustomDomainRow,
  after: CustomDomainRow,
): Promise<void> {
  const subject = subjectOf(before, after);
  if (subject === undefined) return;
  const { id: customDomainId, workspaceId, name } = after;
  log.warn(subject, {
    event: `custom_domain.${after.state === "failed" ? "lost" : "unproved"}`,
    customDomainId,
    workspaceId,
  });
  const to = await listAdminAddresses(sql, { workspaceId, limit: limits.mails.recipients });
  if (to.length === 0) return;
  const until = servedUntil(after)?.toISOString().slice(0, 16).replace("T", " ");
  const text = [
    `${subject}.`,
    after.problem,
    until && `Bots are served at ${name} until ${until} UTC.`,
    adviceFor(after),
  ];
  const body = { text: text.filter(Boolean).join("\n\n") };
  const delivery = await mailer.send({ to, cc: [], bcc: [], subject, body }, newId());
  if (delivery.kind === "failed")
    log.info("The workspace's ADMINs could not be notified by mail", { customDomainId, reason: delivery.reason });
}

function subjectOf(before: CustomDomainRow, after: CustomDomainRow): string | undefined {
  if (before.state !== "verified" || after.unprovedSince === null) return undefined;
  if (after.state === "failed") return `Bots are no longer served at ${after.name}`;
  // A claim that was created before domains had to be proved already counts as unproved, but has never been checked.
  const isNew = before.unprovedSince === null || before.checkedAt === null;
  return isNew ? `The proof of ${after.name} is missing` : undefined;
}
