import { idOf } from "../../../core/editing/changes/things.ts";
import { isWayOut } from "../../../core/interpreter/schemas/own-keys.ts";
import type { EdgeShape, Port } from "../canvas/contract.ts";
import { type Box, holds, type Thing } from "../editor/commands/arrange.ts";
import { blocksIn, groupsIn } from "../editor/commands/command.ts";
import { framesIn, notesIn } from "../editor/commands/surroundings.ts";
import { type Beside, isInCard, thingsOf } from "../editor/selection.ts";
import type { ActContext } from "./act-context.ts";

export type Chosen = ReturnType<typeof createChosen>;

/**
 * Returns functions that determine the objects on which commands act: the focused row, the selected cards, the selected
 * edge, or the selected notes and frames.
 */
export function createChosen({ bot: { editor }, view }: ActContext) {
  const { selection } = editor;
  const draft = () => editor.copy.view();
  const besideNow = () => selection.beside.value;
  /** Returns the focused block or item within its card; undefined if commands act on other objects. */
  const focused = () => {
    const thing = selection.focus.value;
    return thing && isInCard(thing) && besideNow().length === 0 ? thing : undefined;
  };
  /** Returns the blocks that commands act on, in the order of the flow. */
  const blockIds = (): readonly string[] => {
    const several = new Set(selection.blocks.value);
    if (several.size > 1) {
      const all = groupsIn(draft())
        .flatMap(blocksIn)
        .map((block) => idOf(block) ?? "");
      return all.filter((id) => several.has(id));
    }
    const row = focused();
    return row?.kind === "block" ? [row.id] : [];
  };
  const items = () =>
    thingsOf(selection.now.value).flatMap(({ kind, id, ...thing }) =>
      kind === "item" && "blockId" in thing ? [{ blockId: thing.blockId ?? "", itemId: id }] : [],
    );
  const cardIds = (): readonly string[] => [...selection.cards.value];
  const idsOf = (kind: "group" | "event"): readonly string[] =>
    cardIds().filter((id) => view.scene.value.cards.get(id)?.kind === kind);
  const besideIds = (kind: Beside["kind"]) => besideNow().flatMap((one) => (one.kind === kind ? [one.id] : []));

  const allBoxes = (): readonly Box[] => [
    ...[...view.scene.value.cards.values()].map(({ id, kind, box }) => ({ kind, id, ...box })),
    ...framesIn(draft()).map(({ id, x, y, width, height }) => ({ kind: "frame" as const, id, x, y, width, height })),
    ...notesIn(draft()).map(({ id, x, y, width, height }) => ({ kind: "note" as const, id, x, y, width, height })),
  ];
  const chosenBoxes = (): readonly Box[] => {
    const [cards, beside] = [selection.cards.value, besideNow()];
    return allBoxes().filter(
      ({ kind, id }) =>
        ((kind === "group" || kind === "event") && cards.has(id)) ||
        beside.some((one) => one.kind === kind && one.id === id),
    );
  };
  /** Returns the given objects and every object that moves with them. A frame moves everything in it. */
  const moving = (things: readonly Thing[]): readonly Thing[] => {
    const all = allBoxes();
    const isIn = (list: readonly Thing[], { kind, id }: Thing) =>
      list.some((one) => one.kind === kind && one.id === id);
    const frames = all.filter((box) => box.kind === "frame" && isIn(things, box));
    return all
      .filter((box) => isIn(things, box) || frames.some((frame) => frame.id !== box.id && holds(frame, box)))
      .map(({ kind, id }) => ({ kind, id }));
  };

  const edgeOf = (id: string): EdgeShape | undefined => view.scene.value.edges.find((edge) => edge.id === id);
  const groupOfRow = (row: { readonly id: string; readonly blockId?: string } | undefined) =>
    row && editor.store.find.block(row.blockId ?? row.id)?.groupId;
  /** Returns the outlets of the focused row, or else of the first selected card. */
  const portsOf = (): readonly Port[] => {
    const { cards } = view.scene.value;
    const row = focused();
    if (row) {
      const groupId = groupOfRow(row) ?? "";
      return (cards.get(groupId)?.ports ?? []).filter(({ outlet: { from, itemId, pathId, kind } }) => {
        if (row.kind === "item") return itemId === row.id && (row.part === undefined || pathId === row.part);
        if (from["blockId"] !== row.id) return false;
        return row.part === undefined || kind === (isWayOut(row.part) ? row.part : "own");
      });
    }
    const [cardId] = cardIds();
    const ports = cards.get(cardId ?? "")?.ports ?? [];
    const group = editor.store.find.group(cardId ?? "");
    const last = group && blocksIn(group).at(-1);
    // Only the outlets of a group's last block are used, because the earlier blocks lead to the last one.
    const ofLast = last ? ports.filter(({ outlet: { from } }) => from["blockId"] === idOf(last)) : ports;
    return ofLast.length > 0 ? ofLast : ports;
  };
  /** Returns the focused card, or the card that contains the focused row. Empty if nothing is focused. */
  const cardOfSelection = (): readonly string[] => {
    const thing = selection.focus.value;
    if (!thing) return [];
    return [isInCard(thing) ? (groupOfRow(thing) ?? "") : thing.id];
  };

  return {
    cardOfSelection,
    focused,
    blockIds,
    items,
    cardIds,
    idsOf,
    besideIds,
    allBoxes,
    boxes: chosenBoxes,
    moving,
    edgeOf,
    edge: (): EdgeShape | undefined => edgeOf(selection.edge.value ?? ""),
    groupOfRow,
    portsOf,
  };
}
