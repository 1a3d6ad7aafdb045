import { limits } from "../../limits/index.ts";
import type { ProofFinding } from "./domain-proof.ts";

export const domainStates = ["pending", "verified", "failed"] as const;
export type DomainState = (typeof domainStates)[number];

/** The state of a workspace's claim to a domain. */
export type DomainStanding = {
  readonly state: DomainState;
  /** Since when the domain's proof is missing; null while the proof exists. */
  readonly unprovedSince: Date | null;
};

export type Circumstances = {
  readonly now: Date;
  /** A person requests the check, having just changed a record or file. */
  readonly isAsked?: boolean;
  /** Whether another workspace proves the same domain at this moment. */
  readonly isContested?: boolean;
};

/**
 * The state of a claim after a check. It is
 *
 *     pending ── proved ────────────────────────────────────→ verified
 *     pending ── unproved for `pendingDays` ────────────────→ failed
 *     verified ── proved ───────────────────────────────────→ verified
 *     verified ── unproved ─────────────────────────────────→ verified, and served for `graceDays` from then on
 *     verified ── unproved for `graceDays` ─────────────────→ failed
 *     verified ── unproved, and another workspace proves it ─→ failed
 *     failed ── proved ─────────────────────────────────────→ verified
 *     failed ── unproved, and a person asks ────────────────→ pending: it is checked again automatically
 *     (any) ── unknown ─────────────────────────────────────→ as it was
 *
 * A claim whose domain another workspace has counts as unproved. One that failed is looked at only when a person asks.
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

/** The number of seconds until a claim is checked again; a failed claim is not. */
export function secondsToNextCheck({ state, unprovedSince }: DomainStanding, now: Date): number {
  if (unprovedSince === null) return limits.customDomains.provedSeconds;
  const isFirstDay = now.getTime() - unprovedSince.getTime() < dayMs;
  return state === "pending" && isFirstDay ? limits.customDomains.eagerSeconds : limits.customDomains.patientSeconds;
}

/**
 * The time until which a verified domain without its proof is served; null when the proof exists, and when the domain
 * is not served.
 */
export function servedUntil({ state, unprovedSince }: DomainStanding): Date | null {
  return state === "verified" && unprovedSince ? endOf({ state, unprovedSince }) : null;
}

const dayMs = 86_400_000;

function endOf({ state, unprovedSince }: { state: DomainState; unprovedSince: Date }): Date {
  const days = state === "verified" ? limits.customDomains.graceDays : limits.customDomains.pendingDays;
  return new Date(unprovedSince.getTime() + days * dayMs);
}
