import { limits } from "../../limits/index.ts";
import type { ProofFinding } from "./domain-proof.ts";

export const domainStates = ["pending", "verified", "failed"] as const;
export type DomainState = (typeof domainStates)[number];

/** The state of a workspace's claim to a domain. */
export type DomainStanding = {
  readonly state: DomainState;
  /** The time since which the domain's proof is missing; null while the proof exists. */
  readonly unprovedSince: Date | null;
};

export type Circumstances = {
  readonly now: Date;
  /** Whether a person requested the check, usually after changing a record or file. */
  readonly isAsked?: boolean;
  /** Whether another workspace can prove the same domain at this moment. */
  readonly isContested?: boolean;
};

/**
 * Returns the state of a claim after a check. The states and transitions are:
 *
 *     pending ─ proved ─────────────────────────────────────→ verified
 *     pending ─ unproved for `pendingDays` ─────────────────→ failed
 *     verified ─ proved ────────────────────────────────────→ verified
 *     verified ─ unproved ──────────────────────────────────→ verified, and served for another `graceDays`
 *     verified ─ unproved for `graceDays` ──────────────────→ failed
 *     verified ─ unproved, and proved by another workspace ─→ failed
 *     failed ─ proved ──────────────────────────────────────→ verified
 *     failed ─ unproved in a check that a person requested ─→ pending: checked automatically again
 *     any ─ unknown ────────────────────────────────────────→ unchanged
 *
 * A claim to a domain that another workspace has counts as unproved. A failed claim is checked only if a person
 * requests a check.
 */
export function standingAfter(
  before: DomainStanding,
  finding: Pick<ProofFinding, "kind">,
  { now, isAsked = false, isContested = false }: Circumstances,
): DomainStanding {
  if (finding.kind === "proved") return { state: "verified", unprovedSince: null };
  if (finding.kind === "unknown") return before;
  if (before.state === "failed") return isAsked ? { state: "pending", unprovedSince: now } : before;
  const unprovedSince = before.unprovedSince ?? now;
  const isOver = now >= endOf({ ...before, unprovedSince }) || (before.state === "verified" && isContested);
  return { state: isOver ? "failed" : before.state, unprovedSince };
}

/**
 * Returns the number of seconds until a claim is checked again. The number has no effect on a failed claim, which is
 * not checked automatically.
 */
export function secondsToNextCheck({ state, unprovedSince }: DomainStanding, now: Date): number {
  if (unprovedSince === null) return limits.customDomains.provedSeconds;
  const isFirstDay = now.getTime() - unprovedSince.getTime() < dayMs;
  return state === "pending" && isFirstDay ? limits.customDomains.eagerSeconds : limits.customDomains.patientSeconds;
}

/**
 * Returns the time until which a verified domain without proof is served; null if the proof exists or the domain is not
 * served.
 */
export function servedUntil({ state, unprovedSince }: DomainStanding): Date | null {
  return state === "verified" && unprovedSince ? endOf({ state, unprovedSince }) : null;
}

const dayMs = 86_400_000;

function endOf({ state, unprovedSince }: { state: DomainState; unprovedSince: Date }): Date {
  const days = state === "verified" ? limits.customDomains.graceDays : limits.customDomains.pendingDays;
  return new Date(unprovedSince.getTime() + days * dayMs);
}
