import { limits } from "../../limits/index.ts";
import { readClock } from "../../platform/database/clock.sql.ts";
import { violatedConstraint } from "../../platform/database/violations.ts";
import { notifyOfLoss } from "./custom-domain-notices.ts";
import { type Circumstances, secondsToNextCheck, standingAfter } from "./custom-domain-states.ts";
import { type CustomDomainRow, findVerifiedDomain, saveDomainCheck, takeDueDomains } from "./custom-domains.sql.ts";
import type { DomainDependencies } from "./dependencies.ts";
import { findProof, type ProofFinding } from "./domain-proof.ts";

type Tools = Pick<DomainDependencies, "sql" | "log" | "safeFetch" | "resolveTxt" | "mailer">;

/** The number of domains that are checked concurrently. Each check mostly waits for other servers. */
const atOnce = 10;

/**
 * The time for which a check reserves a domain. It is longer than a check can take; afterwards another node may check
 * the domain.
 */
const takenSeconds = 60;

/** Checks some of the due domains, and returns their number. */
export async function checkDueDomains(tools: Tools): Promise<number> {
  const domains = await takeDueDomains(tools.sql, {
    limit: atOnce,
    seconds: takenSeconds,
    longestSeconds: limits.customDomains.provedSeconds,
  });
  await Promise.all(domains.map((domain) => checkDomain(tools, domain)));
  return domains.length;
}

/**
 * Looks for the proof of a domain and saves the finding. Returns undefined if another process checked the claim
 * meanwhile, or if the claim was deleted. If the proof is valid but another workspace has the domain, the proof of that
 * workspace is checked as well. The domain moves only if that workspace's proof is missing.
 */
export async function checkDomain(
  tools: Tools,
  domain: CustomDomainRow,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<CustomDomainRow | undefined> {
  const finding = await findProof(tools, domain);
  if (finding.kind !== "proved" || domain.state === "verified") return await keep(tools, domain, finding, { isAsked });
  const holder = await findVerifiedDomain(tools.sql, domain.name);
  const isTaken = holder !== undefined && !(await makeWay(tools, holder));
  if (isTaken) return await keep(tools, domain, taken, { isAsked });
  try {
    return await keep(tools, domain, finding, { isAsked });
  } catch (error) {
    // Another workspace has verified the domain meanwhile.
    if (violatedConstraint(error) !== "custom_domains_verified") throw error;
    return await keep(tools, domain, taken, { isAsked });
  }
}

const taken: ProofFinding = {
  kind: "unproved",
  problem: "The proof is valid, but another workspace also proves this domain and claimed it earlier.",
};

/**
 * Checks the current holder of a domain again. Returns whether the holder loses the domain, because only the other
 * workspace can prove it.
 */
async function makeWay(tools: Tools, holder: CustomDomainRow): Promise<boolean> {
  const finding = await findProof(tools, holder);
  const after = await keep(tools, holder, finding, { isContested: true });
  return after?.state === "failed";
}

async function keep(
  tools: Tools,
  domain: CustomDomainRow,
  finding: ProofFinding,
  circumstances: Omit<Circumstances, "now">,
): Promise<CustomDomainRow | undefined> {
  const now = await readClock(tools.sql);
  const standing = standingAfter(domain, finding, { ...circumstances, now });
  const after = await saveDomainCheck(tools.sql, domain, {
    ...standing,
    provedBy: finding.kind === "proved" ? finding.provedBy : domain.provedBy,
    problem: finding.kind === "proved" ? null : finding.problem,
    nextCheckSeconds: secondsToNextCheck(standing, now),
  });
  if (after) await notifyOfLoss(tools, domain, after);
  return after;
}
