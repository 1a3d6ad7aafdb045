import type { Outlet } from "../../../core/editing/references/outlets.ts";
import { after } from "../../../core/editing/references/reach.ts";
import { textAt, valueAt } from "../../../core/interpreter/flow.ts";
import { isWayOut, type WayOutName, wayOutNames } from "../../../core/interpreter/schemas/own-keys.ts";
import type { Point } from "../canvas/contract.ts";
import { sizes } from "../canvas/scene/geometry.ts";
import type { Axis, Box, Edge } from "../editor/commands/arrange.ts";
import { addItem, changeType, moveBlocks } from "../editor/commands/blocks.ts";
import { type FlowThing, idAfter, itemsIn } from "../editor/commands/command.ts";
import { addGroup, lead, remove, unlead } from "../editor/commands/groups.ts";
import { insertGroup, reroute, takeBlocksOut } from "../editor/commands/insert.ts";
import { isGroupLocked, lock } from "../editor/commands/locks.ts";
import { align, distribute, moveThings, moveThingsTo } from "../editor/commands/places.ts";
import { addFrame, addNote, type Color, paint } from "../editor/commands/surroundings.ts";
import { addWayOut, newWayOut, removeWayOut } from "../editor/commands/ways-out.ts";
import type { Done } from "../editor/index.ts";
import type { Beside } from "../editor/selection.ts";
import { wayOutLine } from "../forms/way-out.ts";
import canvasWords from "../words/en/canvas.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";
import { createChosen } from "./chosen.ts";
import { createCopying } from "./copying.ts";
import { createPlacing } from "./placing.ts";
import { createRunner } from "./runner.ts";
import type { TidyWhat } from "./tidy/tidy-up.ts";

export type Acts = ReturnType<typeof createActs>;

/** Creates the actions on the canvas selection, which the pointer, keys, menus and bars share. */
export function createActs(context: ActContext) {
  const { bot, view, state } = context;
  const { editor } = bot;
  const chosen = createChosen(context);
  const runner = createRunner(context);
  const placing = createPlacing(context, chosen, runner);
  const copying = createCopying(context, chosen, runner, placing);
  const { run, nothing } = runner;
  const draft = () => editor.copy.view();

  function removeChosen(): void {
    const edge = chosen.edge();
    if (edge) {
      run(unlead, { from: edge.port.outlet });
      return;
    }
    const row = chosen.focused();
    const blockIds = chosen.blockIds();
    const parts =
      blockIds.length > 0
        ? { blockIds }
        : row?.kind === "item"
          ? { items: chosen.items() }
          : {
              groupIds: chosen.idsOf("group"),
              eventIds: chosen.idsOf("event"),
              noteIds: chosen.besideIds("note"),
              frameIds: chosen.besideIds("frame"),
            };
    if (Object.values(parts).every((list) => list.length === 0)) return void nothing();
    if (row?.part !== undefined) {
      // Removes the outlet's edge. If there is no edge, removes the outlet itself, which is possible only for exits.
      const [port] = chosen.portsOf();
      const from = port?.outlet;
      if (from?.edgeId !== undefined) run(unlead, { from });
      else if (from && isWayOut(from.kind)) run(removeWayOut, { from, line: lineOfWay(from.kind) });
      else nothing();
      return;
    }
    const groupId = chosen.groupOfRow(row);
    const next = context.rows?.nextTo();
    if (run(remove, parts).kind === "refused") return;
    // The focus stays in the card when one of its rows is removed.
    if (next) editor.selection.select(next);
    else if (row?.kind === "item" && row.blockId !== undefined)
      editor.selection.select({ kind: "block", id: row.blockId });
    else editor.selection.select(groupId === undefined ? undefined : { kind: "group", id: groupId });
  }

  function move(by: Point): void {
    const boxes = chosen.boxes();
    if (boxes.length === 0) return void nothing();
    run(moveThings, { things: chosen.moving(boxes), by, byKeys: true });
    const [first] = chosen.boxes();
    if (first)
      view.camera.reveal(
        first.kind === "frame" ? { ...first, height: Math.min(first.height, sizes.frameTitle) } : first,
      );
  }

  /** Returns the label that the focused block shows for this exit. */
  function lineOfWay(name: WayOutName): string {
    const block = editor.store.find.block(chosen.focused()?.id ?? "")?.block;
    const holder = valueAt(block, "options", name) ?? newWayOut(name);
    return wayOutLine(name, holder, currentWords(canvasWords).card.ways).text;
  }

  /** Starts editing a note or the title of a frame. If the canvas is zoomed out, zooms in first. */
  function write(beside: Beside): void {
    const box = chosen.allBoxes().find(({ kind, id }) => kind === beside.kind && id === beside.id);
    if (box && view.isFar.value) view.camera.fitBox(box);
    state.writing.value = beside;
  }

  return {
    ...runner,
    ...placing,
    ...copying,
    chosen,
    draft,
    removeChosen,
    move,
    /** Moves a block or an item up or down by one position, as in the outline. */
    async shift(row: FlowThing, by: -1 | 1): Promise<void> {
      const { shiftThing } = await import("../editor/shift-thing.ts");
      const done = row.part === undefined && chosen.blockIds().length < 2 ? shiftThing(editor, row, by) : undefined;
      if (done) runner.announced(done);
      else nothing();
    },
    /**
     * Opens the dialog that asks for the target of the selection. If the selection has several outlets, the dialog
     * first asks for the outlet.
     */
    askLead(): void {
      const edge = chosen.edge();
      const ports = edge ? [edge.port] : chosen.portsOf();
      const [port] = ports;
      if (ports.length > 1) state.asking.value = { kind: "port", ports };
      else if (port) state.asking.value = { kind: "lead", from: port.outlet };
      else nothing();
    },
    write,
    tidyUp: async (which: TidyWhat) => (await import("./tidy/tidy-up.ts")).tidyUp(context, { chosen, runner, which }),
    lead(from: Outlet, to: { readonly groupId: string; readonly blockId?: string }): Done {
      const group = editor.store.find.group(to.groupId);
      return run(lead, { from, to, title: (group && textAt(group, "title")) ?? "" });
    },
    reroute: (from: Outlet, to: Outlet): Done => run(reroute, { from, to }),
    disconnect: (from: Outlet): Done => run(unlead, { from }),
    newGroup: (from: Outlet, title: string, cardId: string): Done =>
      run(addGroup, { from, at: placing.besideCard(cardId), ...(title !== "" && { title }) }),
    moveTo: (boxes: readonly Box[], to: Partial<Point>): Done => run(moveThingsTo, { boxes, to }),
    align: (edge: Edge): Done => run(align, { boxes: chosen.boxes(), edge }),
    distribute: (axis: Axis): Done => run(distribute, { boxes: chosen.boxes(), axis }),
    paint: (color: Color | undefined): Done =>
      run(paint, {
        color,
        groupIds: chosen.idsOf("group"),
        noteIds: chosen.besideIds("note"),
        frameIds: chosen.besideIds("frame"),
      }),
    lock: (isLocked: boolean): Done => run(lock, { groupIds: chosen.idsOf("group"), isLocked }),
    areLocked(): boolean {
      const groupIds = chosen.idsOf("group");
      return groupIds.length > 0 && groupIds.every((id) => isGroupLocked(draft(), id));
    },
    addNote(at: Point = placing.freeNear(placing.center())): void {
      const done = run(addNote, { at });
      if (done.kind === "done" && done.made?.kind === "note") state.writing.value = { kind: "note", id: done.made.id };
    },
    /** Adds a frame around the selection. If a point is given, or nothing is selected, the frame is empty. */
    addFrame(at?: Point): void {
      const around = at ? [] : chosen.boxes();
      const args = around.length > 0 ? { around } : { at: at ?? placing.freeNear(placing.center()) };
      const done = run(addFrame, args);
      if (done.kind === "done" && done.made?.kind === "frame")
        state.writing.value = { kind: "frame", id: done.made.id };
    },
    takeOut: (blockIds: readonly string[], at: Point, into?: Outlet): Done =>
      run(takeBlocksOut, { blockIds, at, ...(into && { into }) }),
    insertGroup: (groupId: string, into: Outlet): Done => run(insertGroup, { groupId, into }),
    moveBlocks: (blockIds: readonly string[], groupId: string, before?: string): Done =>
      run(moveBlocks, { blockIds, groupId, before }),
    turnInto(blockId: string, type: string): void {
      const facts = placing.factsOf(type);
      if (facts) run(changeType, { blockId, type: facts });
    },
    /** Returns the exits that the focused block supports but does not have yet. */
    waysToAdd(): readonly { readonly name: WayOutName; readonly line: string }[] {
      const row = chosen.focused();
      const block = row?.kind === "block" ? editor.store.find.block(row.id)?.block : undefined;
      const options = context.types()?.get((block && textAt(block, "type")) ?? "")?.schema.properties?.["options"];
      return wayOutNames.flatMap((name) =>
        options?.properties?.[name]?.properties?.["outgoingEdgeId"] && valueAt(block, "options", name) === undefined
          ? [{ name, line: lineOfWay(name) }]
          : [],
      );
    },
    addWay(name: WayOutName): void {
      const row = chosen.focused();
      if (row?.kind === "block") run(addWayOut, { blockId: row.id, name, line: lineOfWay(name) });
      else nothing();
    },
    /** Adds an item to the focused block: after the focused item, or otherwise at the end. */
    addItem(): void {
      const row = chosen.focused();
      const blockId = row?.kind === "item" ? row.blockId : row?.id;
      const block = blockId === undefined ? undefined : editor.store.find.block(blockId)?.block;
      if (blockId === undefined || !block || !Array.isArray(block["items"])) return void nothing();
      const before = row?.kind === "item" ? idAfter(itemsIn(block), row.id) : undefined;
      run(addItem, { blockId, before });
    },
    /**
     * Selects every card that can be reached from the selected cards, or from the card of the focused row. These cards
     * are selected as well. Returns the number of selected cards.
     */
    chooseAfter(): number {
      const groupId = chosen.groupOfRow(chosen.focused());
      const all = after(draft(), groupId === undefined ? chosen.cardIds() : [groupId]);
      editor.selection.act({ kind: "selectAll", things: view.thingsOf(all), keepsFocus: true });
      return all.size;
    },
  };
}
