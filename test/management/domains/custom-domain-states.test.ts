import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../src/limits/index.ts";
import {
  type DomainStanding,
  secondsToNextCheck,
  servedUntil,
  standingAfter,
} from "../../../src/management/domains/custom-domain-states.ts";

const { pendingDays, graceDays, eagerSeconds, patientSeconds, provedSeconds } = limits.customDomains;
const start = new Date("2026-11-22T12:00:00.000Z");
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);

const claimed: DomainStanding = { state: "pending", unprovedSince: start };
const verified: DomainStanding = { state: "verified", unprovedSince: null };
const proved = { kind: "proved" } as const;
const unproved = { kind: "unproved" } as const;
const unknown = { kind: "unknown" } as const;

describe("the claim of a domain", () => {
  test("a claimed domain becomes verified when its proof is found", () => {
    expect(standingAfter(claimed, proved, { now: later(30) })).toEqual(verified);
    expect(standingAfter({ ...claimed, state: "failed" }, proved, { now: later(30) })).toEqual(verified);
  });

  test("a claimed domain fails after some days without a proof", () => {
    expect(standingAfter(claimed, unproved, { now: later(pendingDays - 0.01) })).toEqual(claimed);
    expect(standingAfter(claimed, unproved, { now: later(pendingDays) })).toEqual({ ...claimed, state: "failed" });
  });

  test("a failed claim becomes pending again only on a person's request", () => {
    const failed = { ...claimed, state: "failed" } as const;
    const now = later(40);
    expect(standingAfter(failed, unproved, { now })).toEqual(failed);
    expect(standingAfter(failed, unproved, { now, isAsked: true })).toEqual({ state: "pending", unprovedSince: now });
  });
});

describe("a verified domain whose proof is missing", () => {
  const lost = standingAfter(verified, unproved, { now: start });

  test("a verified domain without a proof is served for some days, and then fails", () => {
    expect(lost).toEqual({ state: "verified", unprovedSince: start });
    expect(servedUntil(lost)).toEqual(later(graceDays));
    expect(standingAfter(lost, unproved, { now: later(graceDays - 0.01) })).toEqual(lost);
    expect(standingAfter(lost, unproved, { now: later(graceDays) })).toEqual({ state: "failed", unprovedSince: start });
  });

  test("a verified domain is verified again if its proof returns in time", () => {
    expect(standingAfter(lost, proved, { now: later(graceDays - 1) })).toEqual(verified);
    expect(servedUntil(verified)).toBeNull();
  });

  test("a verified domain without a proof fails if another workspace has a proof", () => {
    const circumstances = { now: start, isContested: true };
    expect(standingAfter(verified, unproved, circumstances)).toEqual({ state: "failed", unprovedSince: start });
    expect(standingAfter(verified, proved, circumstances)).toEqual(verified);
    expect(standingAfter(verified, unknown, circumstances)).toEqual(verified);
  });
});

test("the interval between checks depends on a domain's state and age", () => {
  expect(secondsToNextCheck(claimed, later(0.5))).toBe(eagerSeconds);
  expect(secondsToNextCheck(claimed, later(1.5))).toBe(patientSeconds);
  expect(secondsToNextCheck(verified, later(1.5))).toBe(provedSeconds);
  expect(secondsToNextCheck({ ...verified, unprovedSince: start }, later(0.5))).toBe(patientSeconds);
});

test("a domain is verified only after a proof", () => {
  const event = fc.record({
    kind: fc.constantFrom("proved", "unproved", "unknown"),
    hours: fc.integer({ min: 0, max: 24 * 10 }),
    isAsked: fc.boolean(),
    isContested: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let now = start;
      let standing = claimed;
      let provedAt: Date | undefined;
      let missingSince: Date | undefined = start;
      for (const { kind, hours, ...circumstances } of events) {
        now = new Date(now.getTime() + hours * 3_600_000);
        const before = standing;
        standing = standingAfter(before, { kind }, { now, ...circumstances });
        if (kind === "proved") [provedAt, missingSince] = [now, undefined];
        if (kind === "unproved") missingSince ??= now;
        if (before.state === "failed" && standing.state === "pending") missingSince = now;

        expect(standing.state === "verified" && provedAt === undefined).toBe(false);
        expect(standing.unprovedSince ?? undefined).toEqual(missingSince);
        if (kind === "unknown") expect(standing).toEqual(before);
        if (kind === "proved") expect(standing.state).toBe("verified");
        // The owner keeps the domain during the grace period, unless another workspace proves ownership.
        const graceEnds = servedUntil(before.unprovedSince ? before : { ...before, unprovedSince: now });
        const isWithinGrace = before.state === "verified" && graceEnds !== null && now < graceEnds;
        if (isWithinGrace && !circumstances.isContested) expect(standing.state).toBe("verified");
        if (kind === "unproved" && before.state === "verified" && !isWithinGrace) expect(standing.state).toBe("failed");
        expect(secondsToNextCheck(standing, now)).toBeWithin(eagerSeconds, provedSeconds + 1);
      }
    }),
    { numRuns: 500 },
  );
});
