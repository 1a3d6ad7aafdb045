import type { Window } from "./window.ts";

/** The facts about a version that a comparison needs. */
export type Version = {
  readonly number: number;
  readonly createdAt: string;
  /** Whether the version was only a canary and never became live. */
  readonly isOnlyCanary: boolean;
  /** Whether the version is the current canary. */
  readonly isCanary: boolean;
  readonly hasChats: boolean;
};

/** The compared figures: those of the previous period, or those of other versions, newest first. */
export type Comparison = "before" | readonly number[];

type Shown = Pick<Window, "version" | "beside">;
type Span = { readonly from: string | null; readonly to: string | null };

/**
 * Returns the comparison in the URL, or the default. A selected version is compared with `beside` or, by default, with
 * the version before it. If all versions are selected, `beside` or the newest version of the period is compared with
 * its predecessor. Without a version to compare with, the previous period is used.
 */
export function comparisonOf(
  { version, beside }: Shown,
  { versions, window }: { readonly versions: readonly Version[]; readonly window: Span | undefined },
): Comparison {
  if (beside === "before") return "before";
  if (version !== undefined) {
    const other = beside === version ? undefined : (beside ?? versionBefore(version, versions));
    return other === undefined ? "before" : [other];
  }
  const newer = beside ?? (window && newestWithin(window, versions));
  const older = newer === undefined ? undefined : versionBefore(newer, versions);
  return newer === undefined || older === undefined ? "before" : [newer, older];
}

/**
 * Returns the newest earlier version with chats; undefined if there is none. Versions that were live are preferred to
 * versions that were only canaries.
 */
export function versionBefore(number: number, versions: readonly Version[]): number | undefined {
  const earlier = versions.filter((one) => one.number < number && one.hasChats);
  return (earlier.find(({ isOnlyCanary }) => !isOnlyCanary) ?? earlier[0])?.number;
}

function newestWithin({ from, to }: Span, versions: readonly Version[]): number | undefined {
  const isWithin = ({ createdAt }: Version) =>
    (from === null || Date.parse(createdAt) > Date.parse(from)) &&
    (to === null || Date.parse(createdAt) < Date.parse(to));
  const isTried = ({ isOnlyCanary, isCanary }: Version) => isOnlyCanary && !isCanary;
  return versions.find((one) => one.hasChats && !isTried(one) && isWithin(one))?.number;
}

/**
 * Returns the newest version with chats that was published before the period and was not only a canary. If there is
 * none, returns the oldest version with chats, if any.
 */
export function oldestCounted(from: string | null, versions: readonly Version[]): number | undefined {
  const counted = versions.filter(({ hasChats }) => hasChats);
  const live = counted.find(
    ({ createdAt, isOnlyCanary }) => from !== null && !isOnlyCanary && Date.parse(createdAt) <= Date.parse(from),
  );
  return (live ?? counted.at(-1))?.number;
}
