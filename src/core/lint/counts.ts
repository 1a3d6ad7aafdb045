import type { Finding } from "./rule.ts";

/** The number of findings by severity. */
export type Counts = { readonly errors: number; readonly warnings: number; readonly infos: number };

export const noCounts: Counts = { errors: 0, warnings: 0, infos: 0 };

export function countFindings(findings: readonly Pick<Finding, "severity">[]): Counts {
  return findings.reduce((counts, { severity }) => withOneMore(counts, severity), noCounts);
}

/** Returns the counts of findings for each group, block, item, event and edge, by id. */
export function countByThing(findings: readonly Finding[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { severity, groupId, blockId, itemId, eventId, edgeId } of findings) {
    for (const id of new Set([groupId, blockId, itemId, eventId, edgeId])) {
      if (id !== undefined) counts.set(id, withOneMore(counts.get(id) ?? noCounts, severity));
    }
  }
  return counts;
}

function withOneMore(counts: Counts, severity: Finding["severity"]): Counts {
  const key = `${severity}s` as const;
  return { ...counts, [key]: counts[key] + 1 };
}
