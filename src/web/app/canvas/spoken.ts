import outlineWords from "../words/en/outline.json";
import { findingsText } from "../words/findings-text.ts";
import { currentWords, type WordsOf } from "../words/language.ts";
import type { Card, CardRow, EdgeShape } from "./contract.ts";
import type { OpenView } from "./view.ts";

type Words = WordsOf<"canvas">;

/**
 * Returns the name of a card for screen readers. The name includes, for example, the card's title, contents and
 * targets.
 */
export function nameOfCard(
  view: OpenView,
  card: Card,
  { words, isLocked }: { readonly words: Words; readonly isLocked: boolean },
): string {
  const { outline } = currentWords(outlineWords);
  const scene = view.scene.value;
  const edges = scene.edgesOf(card.id).filter(({ port }) => port.cardId === card.id);
  const blocks = card.rows.filter(({ kind }) => kind === "block");
  const holds =
    card.kind === "group"
      ? [outline.blocks({ count: blocks.length }), ...blocks.slice(0, 3).map(({ text }) => text)]
      : [];
  const titles = [...new Set(edges.map((edge) => titleAt(view, edge, words)))];
  return joined([
    card.kind === "group" ? words.group({ title: card.title }) : words.event({ title: card.title }),
    ...holds,
    titles.length > 0 ? words.leads({ titles: titles.join(", ") }) : words.leadsNowhere,
    isLocked && words.locked,
    marked(view, card.id),
    found(view, card.id),
  ]);
}

export function nameOfRow(view: OpenView, row: CardRow, words: Words): string {
  const { outline } = currentWords(outlineWords);
  const edge = row.port && view.scene.value.edge(row.port.key);
  const block = view.source.editor.store.find.block(row.blockId)?.block;
  const type = view.types.value?.get(String(block?.["type"] ?? ""))?.editor.name;
  // An unconnected outlet is not announced if it belongs to an item or to a block that is not the last of its group.
  const isLoose = row.port !== undefined && !row.port.isQuiet && row.kind !== "item";
  const own = row.itemId ?? row.blockId;
  return joined([
    row.kind === "block" && !row.isNameOnly && type,
    row.text,
    row.variable && outline.savedTo({ name: row.variable }),
    edge ? words.leads({ titles: titleAt(view, edge, words) }) : isLoose && words.leadsNowhere,
    ...(row.kind === "block" || row.kind === "item" ? [marked(view, own), found(view, own)] : []),
  ]);
}

function titleAt(view: OpenView, { toCardId }: EdgeShape, words: Words): string {
  return view.scene.value.cards.get(toCardId ?? "")?.title ?? words.missing;
}

function found(view: OpenView, id: string): string {
  const counts = view.source.findings.byThing.value.get(id);
  return counts ? findingsText(counts) : "";
}

function marked(view: OpenView, id: string): string | undefined {
  return view.marks.value?.value.get(id)?.label;
}

/** Joins the texts without the braces around variable names. */
function joined(parts: readonly (string | false | undefined)[]): string {
  return parts
    .filter(Boolean)
    .join(", ")
    .replaceAll(/[{}]{2}/g, "");
}
