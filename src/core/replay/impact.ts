import { limits } from "../../limits/index.ts";
import { type HeldChat, type Unknown, unknownReasons } from "./chat.ts";
import type { Difference, Judgement } from "./judge.ts";

/** The effect that a flow would have on past chats, as plain data. Partial impacts can be added. */
export type Impact = {
  readonly same: number;
  readonly changed: number;
  readonly diverging: number;
  readonly unknown: { readonly [Reason in Unknown]?: number };
  readonly places: readonly ImpactPlace[];
  /** Whether chats differ at more places than were counted. */
  readonly hasMorePlaces: boolean;
};

/** A difference at a block, with the number of chats that have the difference. */
export type ImpactPlace = Pick<Difference, "kind" | "blockId" | "wasNext" | "next"> & {
  readonly groupId: string | null;
  readonly groupTitle: string | null;
  readonly chats: number;
  readonly examples: ImpactExample[];
};

export type ImpactExample = Pick<Difference, "step" | "reply" | "was" | "wouldBe" | "code"> & {
  readonly resultId: string;
  readonly sessionId: string;
};

export const noImpact: Impact = {
  ...{ same: 0, changed: 0, diverging: 0 },
  ...{ unknown: {}, places: [], hasMorePlaces: false },
};

/** Returns the group that contains a block, or undefined if the block is unknown. */
export type GroupOf = (blockId: string) => { readonly id: string; readonly title: string } | undefined;

export function impactOf(
  judgement: Judgement,
  { resultId, sessionId }: Pick<HeldChat, "resultId" | "sessionId">,
  groupOf: GroupOf,
): Impact {
  if (judgement.kind === "unknown") return { ...noImpact, unknown: { [judgement.reason]: 1 } };
  if (judgement.kind === "same") return { ...noImpact, same: 1 };
  const places = judgement.differences.map(({ kind, blockId, wasNext, next, ...example }): ImpactPlace => {
    const group = blockId === null ? undefined : groupOf(blockId);
    return {
      ...{ kind, blockId, wasNext, next, groupId: group?.id ?? null, groupTitle: group?.title ?? null, chats: 1 },
      examples: [{ resultId, sessionId, ...example }],
    };
  });
  return { ...noImpact, [judgement.kind]: 1, places };
}

/**
 * Adds impacts. A chat is counted once per place, and places with the most chats come first. The numbers of places and
 * of examples are limited.
 */
export function addImpacts(impacts: readonly Impact[]): Impact {
  const places = new Map<string, ImpactPlace>();
  let hasMorePlaces = false;
  for (const impact of impacts) {
    hasMorePlaces ||= impact.hasMorePlaces;
    for (const place of onePerChat(impact.places)) {
      const key = keyOf(place);
      const known = places.get(key);
      if (!known && places.size >= limits.replay.countedPlaces) hasMorePlaces = true;
      else places.set(key, known ? joined(known, place) : place);
    }
  }
  const sum = (count: (impact: Impact) => number): number => impacts.reduce((total, each) => total + count(each), 0);
  return {
    same: sum(({ same }) => same),
    changed: sum(({ changed }) => changed),
    diverging: sum(({ diverging }) => diverging),
    unknown: addCounts(impacts.map(({ unknown }) => unknown)),
    places: [...places.values()].sort((a, b) => b.chats - a.chats),
    hasMorePlaces,
  };
}

function joined(a: ImpactPlace, b: ImpactPlace): ImpactPlace {
  return {
    ...a,
    chats: a.chats + b.chats,
    examples: [...a.examples, ...b.examples].slice(0, limits.replay.examples),
  };
}

/** Removes duplicate places, because a chat that differs twice at the same place counts once. */
function onePerChat(places: readonly ImpactPlace[]): readonly ImpactPlace[] {
  return places.length < 2 ? places : [...new Map(places.toReversed().map((place) => [keyOf(place), place])).values()];
}

function keyOf({ kind, blockId, wasNext, next }: ImpactPlace): string {
  return JSON.stringify([kind, blockId, wasNext, next]);
}

function addCounts(counts: readonly Impact["unknown"][]): Impact["unknown"] {
  const sums = unknownReasons.map((reason) => [reason, counts.reduce((sum, each) => sum + (each[reason] ?? 0), 0)]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}
