import type { Window } from "./window.ts";

/** A version of the bot, as far as its figures are compared. */
export type Version = {
  readonly number: number;
  readonly createdAt: string;
  /** Whether it was tried out on a part of the chats, and never became the version of all. */
  readonly isOnlyCanary: boolean;
  /** Whether it is tried out now. */
  readonly isCanary: boolean;
  readonly hasChats: boolean;
};

/** The figures beside the shown ones: those of the window before, or those of versions, the newer one first. */
export type Comparison = "before" | readonly number[];

type Shown = Pick<Window, "version" | "beside">;
type Span = { readonly from: string | null; readonly to: string | null };

/**
 * The comparison that the address asks for; otherwise the version before the chosen one. All versions have the newest
 * one of the window and the one before it beside them, if there are two.
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

/** The newest earlier version that had chats, of those that all chats began on; else of those that were tried out. */
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

/** The oldest version whose chats all versions of a window have: the one that was live when it began. */
export function oldestCounted(from: string | null, versions: readonly Version[]): number | undefined {
  const counted = versions.filter(({ hasChats }) => hasChats);
  const live = counted.find(
    ({ createdAt, isOnlyCanary }) => from !== null && !isOnlyCanary && Date.parse(createdAt) <= Date.parse(from),
  );
  return (live ?? counted.at(-1))?.number;
}
