import { computed, type ReadonlySignal } from "@preact/signals";
import { eachBlock, idOf, isSame } from "../../../../../core/editing/changes/things.ts";
import type { JsonObject } from "../../../../../core/interpreter/flow.ts";
import type { Mark } from "../../../canvas/contract.ts";
import type { Editor } from "../../../editor/index.ts";
import { type FlowRates, flowRatesOf, type ThingRate, thicknessOf } from "../../../insight/flow-rates.ts";
import { type Insight, shareOf } from "../../../insight/rates.ts";
import { percentText } from "../../../insight/texts.ts";
import { language, type WordsOf } from "../../../words/language.ts";

/** The version with which the draft is compared. */
export type ShownVersion = { readonly number: number; readonly draft: Parameters<typeof eachBlock>[0] };

type Around = {
  readonly store: Editor["store"];
  readonly insight: Insight;
  /** Undefined until the version is loaded. */
  readonly version: ShownVersion | undefined;
  readonly words: WordsOf<"insight">;
};

/** Returns the figures as marks of cards, rows and edges. Typing does not compute the figures again. */
export function marksOf(around: Around): ReadonlySignal<ReadonlyMap<string, Mark>> {
  const { store, insight } = around;
  const rates = computed(() => flowRatesOf(insight, store.structure.value));
  const changed = changedIn(around);
  return computed(() => allMarks(rates.value, changed.value, around));
}

type Changed = { readonly blocks: ReadonlySet<string>; readonly groups: ReadonlySet<string> };

const none: Changed = { blocks: new Set(), groups: new Set() };

/**
 * Returns the blocks that were added or changed since the version, with their groups. Returns the previous object while
 * the blocks are the same.
 */
function changedIn({ store, version }: Around): ReadonlySignal<Changed> {
  if (!version) return computed(() => none);
  const before = new Map([...eachBlock(version.draft)].map(({ block }) => [idOf(block), block]));
  // A new draft shares unchanged blocks with the previous draft, so results are cached by block.
  const known = new WeakMap<JsonObject, boolean>();
  let last = none;
  return computed(() => {
    const [blocks, groups] = [new Set<string>(), new Set<string>()];
    for (const { group, block } of eachBlock(store.draft.value)) {
      const id = idOf(block);
      if (id === undefined) continue;
      const isOther = known.get(block) ?? !isSame(before.get(id), block);
      known.set(block, isOther);
      if (!isOther) continue;
      blocks.add(id);
      groups.add(idOf(group) ?? "");
    }
    const isLast = blocks.size === last.blocks.size && [...blocks].every((id) => last.blocks.has(id));
    if (!isLast) last = { blocks, groups };
    return last;
  });
}

function allMarks(rates: FlowRates, changed: Changed, around: Around): ReadonlyMap<string, Mark> {
  const { words, version, store } = around;
  const marks = new Map<string, Mark>();
  const starts = new Set((store.structure.value.events ?? []).map(idOf));
  for (const [id, rate] of rates.things) {
    const isHatched = changed.blocks.has(id) || changed.groups.has(id);
    const { reached, left, isLeaving } = rate;
    const share = percentText(shareOf(left, reached));
    const isStart = starts.has(id);
    const text = isStart
      ? words.startCard({ views: reached, silent: left, share })
      : words.card({ reached, left, share });
    const said = isLeaving && !isStart ? `${words.leaves}: ${text}` : text;
    marks.set(id, {
      tone: isLeaving && !isStart ? "warning" : "accent",
      // A start is narrow, so its sign shows only the chats that reached it. The label also contains the chats that
      // ended there.
      sign: isStart ? shortNumber(reached) : signOf(rate, store.find.group(id) !== undefined, words),
      label: isHatched && version ? words.cardChanged({ text: said, number: version.number }) : said,
      bars: { reached: shareOf(reached, rates.views), left: shareOf(left, reached) },
      isHatched,
    });
  }
  for (const id of [...changed.blocks, ...changed.groups]) {
    if (marks.has(id) || !version) continue;
    marks.set(id, { tone: "accent", sign: "", label: words.changed({ number: version.number }), isHatched: true });
  }
  for (const [id, chats] of rates.edges) {
    const label = words.edge({ count: chats, share: percentText(shareOf(chats, rates.views)) });
    marks.set(id, { tone: "accent", sign: shortNumber(chats), label, width: thicknessOf(chats, rates.views) });
  }
  return marks;
}

/** Returns the sign of a card or a block. If many chats end at a card, the card shows a text instead of the numbers. */
function signOf({ reached, left, isLeaving }: ThingRate, isGroup: boolean, words: WordsOf<"insight">): string {
  if (isLeaving && isGroup) return words.leaves;
  if (left === 0) return shortNumber(reached);
  return `${shortNumber(reached)} · −${shortNumber(left)}`;
}

/** Formats a number in compact form, for example "1.2K". */
function shortNumber(value: number): string {
  return value.toLocaleString(language.value, { notation: "compact", maximumFractionDigits: 1 });
}
