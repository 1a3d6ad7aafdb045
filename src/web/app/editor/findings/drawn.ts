import type { ReadonlySignal } from "@preact/signals";
import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { contrast, rgbOf } from "../../../../core/theme/colors.ts";
import {
  type DrawnName,
  type DrawnPair,
  type DrawnPairs,
  type DrawnTheme,
  drawnNames,
} from "../../../../core/theme/drawn-things.ts";

/** A theme, and the colours in which a frame rendered a chat with the theme at one moment. */
export type Drawn = { readonly theme: unknown; readonly scheme: "light" | "dark"; readonly pairs: DrawnPairs };

/**
 * Collects the colours in which frames rendered the draft's theme. For each element, keeps the colours with the lowest
 * contrast that was shown so far.
 */
export function keepDrawn(draft: ReadonlySignal<DraftDocument>) {
  let of: unknown;
  let known: DrawnTheme | undefined;
  return {
    /** Adds rendered colours. Returns undefined if they contain nothing new about the draft's theme. */
    note({ theme, scheme, pairs }: Drawn): DrawnTheme | undefined {
      // Read without a subscription, because only the current theme is compared.
      if (theme !== draft.peek().theme) return undefined;
      const before = of === theme ? known : undefined;
      const now: DrawnTheme = { ...before, [scheme]: faintest(before?.[scheme] ?? {}, pairs) };
      if (before && JSON.stringify(now) === JSON.stringify(before)) return undefined;
      of = theme;
      known = now;
      return now;
    },
    // Read without a subscription, because a dialog reads the value once when it opens.
    isKnown: () => known !== undefined && of === draft.peek().theme,
  };
}

function faintest(one: DrawnPairs, other: DrawnPairs): DrawnPairs {
  const named = drawnNames.flatMap((name): [DrawnName, DrawnPair][] => {
    const [first, ...rest] = [one[name], other[name]].filter((pair) => pair !== undefined);
    if (!first) return [];
    return [[name, rest.reduce((worst, pair) => (ratioOf(pair) < ratioOf(worst) ? pair : worst), first)]];
  });
  return Object.fromEntries(named);
}

function ratioOf({ color, behind }: DrawnPair): number {
  return contrast(rgbOf(color) ?? [0, 0, 0], rgbOf(behind) ?? [0, 0, 0]);
}
