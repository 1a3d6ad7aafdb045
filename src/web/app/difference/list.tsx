import { type ReadonlySignal, useComputed } from "@preact/signals";
import { Braces, Frame, Locate, StickyNote } from "lucide";
import { useMemo } from "preact/hooks";
import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { ApiFailure, allPages, call, useQuery } from "../api/index.ts";
import { useBlockTypes, useFlowSchemas } from "../forms/reading.ts";
import { addIcons } from "../ui/index.ts";
import { countsText } from "../words/counts-text.ts";
import commandWords from "../words/en/command.json";
import differenceWords from "../words/en/difference.json";
import outlineWords from "../words/en/outline.json";
import { useWords } from "../words/index.ts";
import { compareDrafts } from "./compare.ts";
import { fieldsBy } from "./fields.ts";
import { Lines } from "./line.tsx";
import type { LineContext } from "./line-context.ts";
import { type Around, namedAround, namesIn, nothingAround, type OtherBot, titlesIn } from "./names.ts";
import { countChanges } from "./summary.ts";
import { eachThing, type ThingChange } from "./thing-change.ts";
import "../canvas/tints.css";
import "./difference.css";

addIcons({ braces: Braces, frame: Frame, locate: Locate, "sticky-note": StickyNote });

/**
 * Returns the differences between two flows. Returns undefined while a flow or the catalogue, which describes the
 * fields, is loading.
 */
export function useDifference(
  before: DraftDocument | undefined,
  after: DraftDocument | undefined,
): readonly ThingChange[] | undefined {
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  return useMemo(
    () => (before && after && types && flow ? compareDrafts(before, after, fieldsBy({ types, flow })) : undefined),
    // The catalogue never changes after loading, so its presence is a sufficient dependency.
    [before, after, types === undefined, flow === undefined],
  );
}

export type DifferenceListProps = {
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly changed: readonly ThingChange[];
  /** The workspace of the bot, from which the names of credentials are loaded. */
  readonly workspaceId?: string | undefined;
  /** Whether the caller shows the summary itself. */
  readonly isWithoutSummary?: boolean | undefined;
} & Pick<LineContext, "onGo" | "onOpen" | "current">;

/**
 * The list of differences between two flows: a summary, an entry for each object with its fields, and last the
 * differences that visitors cannot notice.
 */
export function DifferenceList(props: DifferenceListProps) {
  const { changed, isWithoutSummary = false } = props;
  const words = useWords(differenceWords);
  const context = useTelling(props);
  const noticed = changed.filter(({ isNoticed }) => isNoticed);
  const others = changed.filter(({ isNoticed }) => !isNoticed);
  return (
    <section class="difference" aria-label={words.list}>
      {!isWithoutSummary && <DifferenceSummary changed={changed} />}
      <Lines changed={noticed} context={context} />
      {others.length > 0 && <Others changed={others} context={context} isOpen={noticed.length === 0} />}
    </section>
  );
}

/** A single entry, with the entries within it. */
export function DifferenceLine({ line, ...props }: DifferenceListProps & { readonly line: ThingChange }) {
  const context = useTelling(props);
  const lines = useMemo(() => [line], [line]);
  const block = line.of === "item" ? blockOf(line, props.changed) : undefined;
  return (
    <div class="difference">
      <Lines changed={lines} context={context} block={block} />
    </div>
  );
}

/**
 * Returns the block that contains an item; undefined if the block is not among the changes. The block's type determines
 * the name of its items.
 */
function blockOf({ blockId }: ThingChange, changed: readonly ThingChange[]): JsonObject | undefined {
  for (const one of eachThing(changed)) if (one.of === "block" && one.id === blockId) return one.after ?? one.before;
  return undefined;
}

/** Summarises the differences between two flows in a sentence. */
export function DifferenceSummary({ changed }: { readonly changed: readonly ThingChange[] }) {
  const words = useWords(differenceWords);
  const isNoticed = changed.some((one) => one.isNoticed);
  return (
    <p class="difference-summary">
      {changed.length === 0 ? words.same : isNoticed ? countsText(countChanges(changed)) : words.nothing}
    </p>
  );
}

type OthersProps = {
  readonly changed: readonly ThingChange[];
  readonly context: LineContext;
  readonly isOpen: boolean;
};

/**
 * The differences that visitors cannot notice. Collapsed, unless there are no other differences or one of them is
 * selected.
 */
function Others({ changed, context, isOpen }: OthersProps) {
  const isLookedAt = useIsAmong(changed, context.current);
  return (
    <details class="difference-others" open={isOpen || isLookedAt}>
      <summary>{context.words.unnoticed({ count: changed.length })}</summary>
      <Lines changed={changed} context={context} />
    </details>
  );
}

function useIsAmong(changed: readonly ThingChange[], current: ReadonlySignal<string | undefined> | undefined): boolean {
  const keys = useMemo(() => new Set(changed.map(({ key }) => key)), [changed]);
  return useComputed(() => keys.has(current?.value ?? "")).value;
}

function useTelling({ before, after, changed, workspaceId, onGo, onOpen, current }: DifferenceListProps): LineContext {
  const words = useWords(differenceWords);
  const { outline } = useWords(outlineWords);
  const { events, colors: tints } = useWords(commandWords);
  const types = useBlockTypes();
  const flow = useFlowSchemas();
  const around = useAround(changed, workspaceId);
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

/** Loads the names of other bots and of credentials that the differences refer to. Empty until the names are loaded. */
function useAround(changed: readonly ThingChange[], workspaceId: string | undefined): Around {
  const { outline } = useWords(outlineWords);
  const { botIds, hasCredentials } = useMemo(() => namedAround(changed), [changed]);
  const bots = useQuery(botIds.length === 0 ? undefined : `difference/bots/${botIds.join()}`, () =>
    readBots(botIds, outline.untitled),
  ).value;
  const isAsked = hasCredentials && workspaceId !== undefined;
  const credentials = useQuery(isAsked ? `difference/${workspaceId}/credentials` : undefined, () =>
    readCredentials(workspaceId ?? ""),
  ).value;
  return useMemo(
    () =>
      bots || credentials
        ? { ...nothingAround, ...(bots && { bots }), ...(credentials && { credentials }) }
        : nothingAround,
    [bots, credentials],
  );
}

async function readBots(ids: readonly string[], untitled: string): Promise<ReadonlyMap<string, OtherBot>> {
  const found = await Promise.all(ids.map((botId) => readBot(botId, untitled)));
  return new Map(found.flatMap((one) => (one ? [one] : [])));
}

/** Returns undefined if the bot cannot be read, for example because it was removed. */
async function readBot(botId: string, untitled: string): Promise<readonly [string, OtherBot] | undefined> {
  try {
    const { bot } = await call("GET /api/v1/bots/:botId", { path: { botId } });
    return [botId, { name: bot.name, groups: titlesIn(bot.groups, untitled) }];
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return undefined;
  }
}

async function readCredentials(workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const path = { workspaceId };
  const credentials = await allPages(
    (query) => call("GET /api/v1/workspaces/:workspaceId/credentials", { path, query }),
    (answer) => answer.credentials,
  );
  return new Map(credentials.map(({ id, name }) => [id, name]));
}
