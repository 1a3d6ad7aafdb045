import { effect, untracked } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { Canvas } from "../../canvas/index.tsx";
import { useEffectNow } from "../../canvas/use-effect-now.ts";
import {
  countSigns,
  DifferenceLine,
  DifferenceList,
  type DifferenceListProps,
  lookOf,
  type Signed,
  type ThingChange,
} from "../../difference/index.ts";
import { isElsewhere, useCommands } from "../../keys/use-commands.ts";
import { IconButton, Segments } from "../../ui/index.ts";
import differenceWords from "../../words/en/difference.json";
import versionWords from "../../words/en/version.json";
import { useWords } from "../../words/index.ts";
import { useIsNarrow } from "../flow/use-narrow.ts";
import { type Comparison, createComparison } from "./comparison.ts";
import type { ReadBot } from "./service.ts";

export type ComparisonViewProps = {
  readonly bot: ReadBot;
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly changed: readonly ThingChange[];
  readonly summary: ComponentChildren;
  readonly onOpen: NonNullable<DifferenceListProps["onOpen"]>;
  readonly mayOpen: boolean;
};

/**
 * Shows the canvas and the list of a comparison side by side. In a narrow window, shows only one of them. Without a
 * difference on the canvas, shows only the list.
 */
export function ComparisonView({ bot, before, after, changed, summary, onOpen, mayOpen }: ComparisonViewProps) {
  const words = useWords(versionWords);
  const { is } = useWords(differenceWords);
  const comparison = useMemo(
    () => createComparison({ bot, before, after, changed, words: is }),
    [before, after, changed, is],
  );
  const isNarrow = useIsNarrow();
  const [shape, setShape] = useState<"canvas" | "list">("canvas");
  const { open, current, isOnCanvas } = comparison;
  useEffect(() => () => void open.close(), [open]);
  useEffect(() => effect(comparison.follow), [comparison]);
  useCommands(
    "comparison",
    { nextDifference: () => comparison.step(1), lastDifference: () => comparison.step(-1) },
    isElsewhere,
  );
  const list: DifferenceListProps = {
    ...{ before, after, changed, current },
    workspaceId: bot.workspaceId,
    isWithoutSummary: true,
    ...(isOnCanvas && {
      onGo(one: ThingChange) {
        setShape("canvas");
        comparison.goTo(one);
      },
    }),
    ...(mayOpen && { onOpen }),
  };
  const hasCanvas = isOnCanvas && (!isNarrow || shape === "canvas");
  const hasList = !isOnCanvas || !isNarrow || shape === "list";
  return (
    <>
      <div class="compare-changes">
        {summary}
        {isNarrow && isOnCanvas && (
          <Segments
            label={words.shape}
            value={shape}
            options={[
              { value: "canvas", label: words.onCanvas },
              { value: "list", label: words.asList },
            ]}
            onChange={setShape}
          />
        )}
        <Steps comparison={comparison} />
      </div>
      <div class={`compare-body ${isOnCanvas ? "" : "is-list"}`}>
        {hasCanvas && (
          <ComparedCanvas comparison={comparison}>
            <Legend changed={changed} />
          </ComparedCanvas>
        )}
        {hasList && (
          <div class="compare-list">
            <DifferenceList {...list} />
          </div>
        )}
      </div>
      {hasCanvas && isNarrow && <LookedAt comparison={comparison} list={list} />}
    </>
  );
}

type ComparedProps = { readonly comparison: Comparison; readonly children: ComponentChildren };

function ComparedCanvas({ comparison, children }: ComparedProps) {
  const { view, marks, overlays } = comparison;
  useLayoutEffect(() => {
    view.isPlaced = comparison.current.value !== undefined;
  }, [comparison]);
  useEffectNow(() => {
    if (!view.isPlaced) comparison.place();
  }, [comparison]);
  useEffectNow(() => {
    // Runs only when the canvas is resized, not when the flow or the current difference changes.
    if (view.camera.size.value.width > 0 && view.isPlaced) untracked(comparison.stay);
  }, [comparison]);
  return (
    <div class="compare-canvas is-comparing">
      <Canvas view={view} marks={marks} overlays={overlays} onOpen={({ hasFocus }) => hasFocus && focusLine()} />
      {children}
    </div>
  );
}

/**
 * Moves the focus from the canvas to the entry of the card, after the entry is rendered and before the next key event.
 */
function focusLine(): void {
  queueMicrotask(() =>
    document.querySelector<HTMLElement>(".difference-line[aria-current] button:last-of-type")?.focus(),
  );
}

const signs = ["added", "removed", "changed", "moved"] as const satisfies readonly Signed[];

/** Explains the signs and shows the number of differences with each sign. */
function Legend({ changed }: { readonly changed: readonly ThingChange[] }) {
  const words = useWords(differenceWords);
  const counts = useMemo(() => countSigns(changed), [changed]);
  return (
    <ul class="compare-legend" aria-label={words.legend}>
      {signs.map((is) =>
        counts[is] === 0 ? null : (
          <li key={is}>
            <span class={`difference-sign is-${lookOf(is).tone}`} aria-hidden="true">
              {lookOf(is).sign}
            </span>
            {words.counted[is]({ count: counts[is] })}
          </li>
        ),
      )}
    </ul>
  );
}

/** The buttons that step through the differences one by one. */
function Steps({ comparison }: { readonly comparison: Comparison }) {
  const words = useWords(differenceWords);
  const { stops, current } = comparison;
  const at = stops.findIndex(({ key }) => key === current.value);
  return (
    <div class="compare-steps">
      <span>{at === -1 ? words.steps({ count: stops.length }) : words.step({ at: at + 1, count: stops.length })}</span>
      <IconButton
        icon="chevron-up"
        size="s"
        kind="plain"
        label={`${words.previous} (Alt ↑)`}
        onPress={() => comparison.step(-1)}
      />
      <IconButton
        icon="chevron-down"
        size="s"
        kind="plain"
        label={`${words.next} (Alt ↓)`}
        onPress={() => comparison.step(1)}
      />
    </div>
  );
}

/** Shows the selected difference below a canvas without a list. */
function LookedAt({ comparison, list }: { readonly comparison: Comparison; readonly list: DifferenceListProps }) {
  const words = useWords(versionWords);
  const changed = comparison.changed(comparison.current.value);
  return (
    <section class="compare-line" aria-label={words.lookedAt}>
      {changed ? <DifferenceLine {...list} line={changed} /> : <p class="versions-hint">{words.pressSomething}</p>}
    </section>
  );
}
