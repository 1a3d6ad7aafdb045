/** @jsxImportSource preact */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import { Braces, Frame, Locate, StickyNote } from "lucide";
import { useMemo } from "preact/hooks";
import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { useBlockTypes, useFlowSchemas } from "../forms/reading.ts";
import { addIcons } from "../ui/index.ts";
import { differenceWords } from "../words/difference.ts";
import { commandWords } from "../words/flow-commands.ts";
import { outlineWords } from "../words/flow-outline.ts";
import { useWords } from "../words/index.ts";
import { fieldsBy } from "./fields.ts";
import { Lines } from "./line.tsx";
import { namesIn } from "./names.ts";
import { countTold } from "./summary.ts";
import { tell } from "./tell.ts";
import type { Telling } from "./telling.ts";
import { eachTold, type Told } from "./told.ts";
import { useAround } from "./use-around.ts";
import "../canvas/tints.css";
import "./difference.css";

addIcons({ braces: Braces, frame: Frame, locate: Locate, "sticky-note": StickyNote });

/** The differences of two flows; undefined while the catalogue, which knows their fields, is loading. */
export function useTold(
  before: DraftDocument | undefined,
  after: DraftDocument | undefined,
): readonly Told[] | undefined {
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  return useMemo(
    () => (before && after && types && flow ? tell(before, after, fieldsBy({ types, flow })) : undefined),
    // The catalogue comes once; each screen that asks again for it gets the same.
    [before, after, types === undefined, flow === undefined],
  );
}

export type DifferenceListProps = {
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly told: readonly Told[];
  /** The workspace of the bot: its credentials have names. */
  readonly workspaceId?: string | undefined;
  /** Whether the caller shows the sentence that sums them up elsewhere. */
  readonly isWithoutSummary?: boolean | undefined;
} & Pick<Telling, "onGo" | "onOpen" | "current">;

/** What sets two flows apart: a sentence, then a line for each thing, with its fields; last what no visitor notices. */
export function DifferenceList(props: DifferenceListProps) {
  const { told, isWithoutSummary = false } = props;
  const words = useWords(differenceWords);
  const telling = useTelling(props);
  const noticed = told.filter(({ isNoticed }) => isNoticed);
  const others = told.filter(({ isNoticed }) => !isNoticed);
  return (
    <section class="difference" aria-label={words.list}>
      {!isWithoutSummary && <DifferenceSummary told={told} />}
      <Lines told={noticed} telling={telling} />
      {others.length > 0 && <Others told={others} telling={telling} isOpen={noticed.length === 0} />}
    </section>
  );
}

/** One line alone, with what lies in it. */
export function DifferenceLine({ line, ...props }: DifferenceListProps & { readonly line: Told }) {
  const telling = useTelling(props);
  const lines = useMemo(() => [line], [line]);
  const block = line.of === "item" ? blockOf(line, props.told) : undefined;
  return (
    <div class="difference">
      <Lines told={lines} telling={telling} block={block} />
    </div>
  );
}

/** The block that an item is in: it says what items are. */
function blockOf({ blockId }: Told, told: readonly Told[]): JsonObject | undefined {
  for (const one of eachTold(told)) if (one.of === "block" && one.id === blockId) return one.after ?? one.before;
  return undefined;
}

/** The differences of two flows, in a sentence. */
export function DifferenceSummary({ told }: { readonly told: readonly Told[] }) {
  const words = useWords(differenceWords);
  const isNoticed = told.some((one) => one.isNoticed);
  return (
    <p class="difference-summary">
      {told.length === 0 ? words.same : isNoticed ? words.summary(countTold(told)) : words.nothing}
    </p>
  );
}

type OthersProps = { readonly told: readonly Told[]; readonly telling: Telling; readonly isOpen: boolean };

/** What no visitor notices: folded, unless that is all, or a line of it is looked at. */
function Others({ told, telling, isOpen }: OthersProps) {
  const isLookedAt = useIsAmong(told, telling.current);
  return (
    <details class="difference-others" open={isOpen || isLookedAt}>
      <summary>{telling.words.unnoticed(told.length)}</summary>
      <Lines told={told} telling={telling} />
    </details>
  );
}

function useIsAmong(told: readonly Told[], current: ReadonlySignal<string | undefined> | undefined): boolean {
  const keys = useMemo(() => new Set(told.map(({ key }) => key)), [told]);
  return useComputed(() => keys.has(current?.value ?? "")).value;
}

function useTelling({ before, after, told, workspaceId, onGo, onOpen, current }: DifferenceListProps): Telling {
  const words = useWords(differenceWords);
  const { outline } = useWords(outlineWords);
  const { events, colors: tints } = useWords(commandWords);
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  const around = useAround(told, workspaceId);
  return useMemo(() => {
    const of = { types, around, untitled: outline.untitled };
    return {
      ...{ words, outline, tints, types, onGo, onOpen, current },
      eventNames: events,
      schemas: { types, flow },
      names: { before: namesIn(before, of), after: namesIn(after, of) },
    };
  }, [words, outline, events, tints, types, flow, before, after, onGo, onOpen, current, around]);
}
