import { idOf } from "../../../core/editing/changes/things.ts";
import { outletOfEvent } from "../../../core/editing/references/outlets.ts";
import type { EdgeShape, Point } from "../canvas/contract.ts";
import { sizes } from "../canvas/scene/geometry.ts";
import type { Size } from "../editor/commands/arrange.ts";
import { addBlock, type TypeFacts } from "../editor/commands/blocks.ts";
import { blocksIn, idAfter } from "../editor/commands/command.ts";
import { addBlockAt, insertBlock } from "../editor/commands/insert.ts";
import { blockIdOf, isInCard } from "../editor/selection.ts";
import type { ActContext } from "./act-context.ts";
import type { Chosen } from "./chosen.ts";
import type { Runner } from "./runner.ts";
import type { BlockPlace } from "./state.ts";

export type Placing = ReturnType<typeof createPlacing>;

/** Creates the functions that determine the position of new objects and insert blocks there. */
export function createPlacing({ bot: { editor }, view, types, open }: ActContext, chosen: Chosen, { run }: Runner) {
  const factsOf = (type: string): TypeFacts | undefined => {
    const known = types()?.get(type);
    return known && { type, name: known.editor.name, schema: { ...known.schema }, start: known.editor.start };
  };
  const middleOf = ({ from, to }: EdgeShape): Point => ({
    x: (from.x + to.x - sizes.card) / 2,
    y: (from.y + to.y) / 2 - 44,
  });
  const center = (): Point => {
    const box = view.element.value?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return view.toWorld({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  };
  /**
   * Returns a position near a point that no card covers, if one is found in 40 attempts. The default size is that of
   * one card.
   */
  const freeNear = ({ x, y }: Point, { width, height }: Size = { width: sizes.card, height: 104 }): Point => {
    let at = { x: Math.round(x), y: Math.round(y) };
    for (let tries = 0; tries < 40; tries++) {
      const card = [...view.scene.value.cards.values()].find(
        ({ box }) =>
          at.x < box.x + box.width + 24 &&
          box.x < at.x + width + 24 &&
          at.y < box.y + box.height + 24 &&
          box.y < at.y + height + 24,
      );
      if (!card) return at;
      at = { x: at.x, y: Math.round(card.box.y + card.box.height + 32) };
    }
    return at;
  };
  /** Returns the position to the right of a card, where authors expect the next card. */
  const besideCard = (cardId: string): Point => {
    const box = view.scene.value.cards.get(cardId)?.box;
    return freeNear(box ? { x: box.x + box.width + 128, y: box.y } : center());
  };

  /**
   * Returns the position for a block that is added to the selection: after the row, into the group, into the edge, or
   * onto the background.
   */
  function placeForBlock(): BlockPlace {
    const shape = chosen.edge();
    if (shape) return { kind: "edge", into: shape.port.outlet, at: freeNear(middleOf(shape)) };
    const selection = editor.selection.focus.value;
    const blockId = selection && isInCard(selection) ? blockIdOf(selection) : undefined;
    const placed = blockId === undefined ? undefined : editor.store.find.block(blockId);
    if (placed) {
      const group = editor.store.find.group(placed.groupId);
      return { kind: "group", groupId: placed.groupId, before: group && idAfter(blocksIn(group), blockId) };
    }
    if (selection?.kind === "group" && editor.store.find.group(selection.id))
      return { kind: "group", groupId: selection.id };
    const event = selection?.kind === "event" ? editor.store.find.event(selection.id) : startWithoutEdge();
    const outlet = event && outletOfEvent(event);
    if (event && outlet?.edgeId === undefined)
      return { kind: "ground", at: besideCard(idOf(event) ?? ""), ...(outlet && { from: outlet }) };
    return { kind: "ground", at: freeNear(center()) };
  }
  /**
   * Returns the start event of an empty flow, from which an edge leads to the first block. Undefined for any other
   * flow.
   */
  function startWithoutEdge() {
    const { groups, events } = editor.copy.view();
    if (groups.length > 0 || !Array.isArray(events)) return undefined;
    return events.find((event) => event.type === "start");
  }

  function add(type: string, place: BlockPlace = placeForBlock()): void {
    const facts = factsOf(type);
    if (!facts) return;
    const done =
      place.kind === "group"
        ? run(addBlock, { type: facts, groupId: place.groupId, before: place.before })
        : place.kind === "edge"
          ? run(insertBlock, { type: facts, into: place.into, at: place.at })
          : run(addBlockAt, { type: facts, at: place.at, ...(place.from && { from: place.from }) });
    if (done.kind === "done") showNew();
  }
  /** Shows the new object, which is already selected, and opens its form. */
  function showNew(): void {
    const selection = editor.selection.focus.value;
    const groupId = selection?.kind === "group" ? selection.id : editor.store.find.block(selection?.id ?? "")?.groupId;
    if (groupId === undefined) return;
    view.camera.reveal(groupId);
    open({ hasFocus: true });
  }

  return { factsOf, center, freeNear, besideCard, placeForBlock, add, showNew };
}
