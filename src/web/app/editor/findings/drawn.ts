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

/** A theme, and the colours in which a frame has drawn a chat with it at one moment. */
export type Drawn = { readonly theme: unknown; readonly scheme: "light" | "dark"; readonly pairs: DrawnPairs };

/**
 * The colours in which frames have drawn the draft's theme: the faintest colours of each thing in all moments that were
 * shown.
 */
export function keepDrawn(draft: ReadonlySignal<DraftDocument>) {
  let of: unknown;
  let known: DrawnTheme | undefined;
  return {
    /** Undefined if nothing new is known of the draft's theme. */
    note({ theme, scheme, pairs }: Drawn): DrawnTheme | undefined {
      // Without a subscription: it is compared only with the theme of this moment.
      if (theme !== draft.peek().theme) return undefined;
      const before = of === theme ? known : undefined;
      const now: DrawnTheme = { ...before, [scheme]: faintest(before?.[scheme] ?? {}, pairs) };
      if (before && JSON.stringify(now) === JSON.stringify(before)) return undefined;
      of = theme;
      known = now;
      return now;
    },
    // Without a subscription: it is read when a dialog opens.
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
