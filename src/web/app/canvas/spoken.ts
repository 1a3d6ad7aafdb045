import type { canvasWords } from "../words/canvas.ts";
import { outlineWords } from "../words/flow-outline.ts";
import { language } from "../words/language.ts";
import type { Card, CardRow, EdgeShape } from "./contract.ts";
import type { OpenView } from "./view.ts";

type Words = (typeof canvasWords)["en"];

/** What a card is called to readers: its title, what it holds, where it leads, and what was found. */
export function nameOfCard(view: OpenView, card: Card, words: Words): string {
  const { outline } = outlineWords[language.peek()];
  const scene = view.scene.peek();
  const edges = scene.edgesOf(card.id).filter(({ port }) => port.cardId === card.id);
  const blocks = card.rows.filter(({ kind }) => kind === "block");
  const holds =
    card.kind === "group" ? [outline.blocks(blocks.length), ...blocks.slice(0, 3).map(({ text }) => text)] : [];
  const titles = [...new Set(edges.map((edge) => titleAt(view, edge, words)))];
  return join([
    card.kind === "group" ? words.group(card.title) : words.event(card.title),
    ...holds,
    titles.length > 0 ? words.leads(titles.join(", ")) : words.leadsNowhere,
    found(view, card.id),
  ]);
}

export function nameOfRow(view: OpenView, row: CardRow, words: Words): string {
  const { outline } = outlineWords[language.peek()];
  const edge = row.port && view.scene.peek().edge(row.port.key);
  const block = view.source.editor.store.find.block(row.blockId)?.block;
  const type = view.types.peek()?.get(String(block?.["type"] ?? ""))?.editor.name;
  return join([
    row.kind === "block" && !row.isNameOnly ? type : undefined,
    row.text,
    row.variable && outline.savedTo(row.variable),
    edge && words.leads(titleAt(view, edge, words)),
    found(view, row.itemId ?? row.blockId),
  ]);
}

function titleAt(view: OpenView, { toCardId }: EdgeShape, words: Words): string {
  return view.scene.peek().cards.get(toCardId ?? "")?.title ?? words.missing;
}

function found(view: OpenView, id: string): string {
  const counts = view.source.findings.byThing.peek().get(id);
  return counts ? outlineWords[language.peek()].outline.findings(counts) : "";
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}
