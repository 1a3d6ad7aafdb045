/** The backups of a folder that stay: with both rules, each backup that either of them keeps. */
export type Keeping = { readonly count?: number; readonly days?: number };

const dayMs = 24 * 3_600_000;

/** The name that a backup of this moment gets in a folder: in the order of time. */
export function backupName(now: Date): string {
  return `parley-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;
}

/** The names that are no longer to be kept. Only names that `backupName` gives count, and the newest always stays. */
export function outdatedBackups(names: readonly string[], { count, days }: Keeping, now: Date): string[] {
  if (count === undefined && days === undefined) return [];
  const oldest = days === undefined ? Number.POSITIVE_INFINITY : now.getTime() - days * dayMs;
  const newestFirst = names
    .filter((name) => timeOf(name) !== undefined)
    .toSorted()
    .reverse();
  return newestFirst
    .filter((name, index) => index >= Math.max(1, count ?? 0) && (timeOf(name) ?? 0) < oldest)
    .reverse();
}

function timeOf(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar$/.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}
