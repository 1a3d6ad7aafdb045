import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { CanvasProps, CardAct, Hit, Overlay, Point, View } from "../canvas/contract.ts";
import { Canvas, type OpenView } from "../canvas/index.tsx";
import { rowBoxOf } from "../canvas/scene/covers.ts";
import { sizes } from "../canvas/scene/geometry.ts";
import { framesIn, notesIn } from "../editor/commands/surroundings.ts";
import type { CommentAct } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import { blockIdOf, isBeside } from "../editor/selection.ts";
import { type BlockType, useBlockTypes } from "../forms/reading.ts";
import { usePalette } from "../palette/offers.tsx";
import { Button, Icon, later, MenuList } from "../ui/index.ts";
import canvasActWords from "../words/en/canvas-act.json";
import { useWords } from "../words/index.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { createActs } from "./acts.ts";
import { editOnCard } from "./edit-on-card.ts";
import { createConnecting } from "./gestures/connecting.ts";
import { cornerFor, dropAt } from "./gestures/drop.ts";
import { createBesideDrag, createRowDrag } from "./gestures/gestures.ts";
import { createWriting } from "./gestures/writing.ts";
import { createKeys } from "./keys.ts";
import { showMenu } from "./menu/show-menu.ts";
import { OnCardWhenMet } from "./on-card/when-met.tsx";
import { besideElementId, besideOverlays, connectingOverlay, draggingOverlay } from "./overlays.tsx";
import { type DragPhase, Palette, PaletteButton } from "./palette.tsx";
import type { ActState } from "./state.ts";
import { listenToClipboard } from "./system-clipboard.ts";
import "./acts.css";

// Optional parts are loaded on demand, because an author usually looks at a flow first.
const People = later(async () => (await import("./people.tsx")).People);
const FollowedPerson = later(async () => (await import("./people.tsx")).FollowedPerson);
const ActBar = later(async () => (await import("./menu/bar.tsx")).ActBar);
const BotNames = later(async () => (await import("./on-card/bot-names.tsx")).BotNames);
const Afterwards = later(async () => (await import("./afterwards.tsx")).Afterwards);
const CommentMarks = later(async () => (await import("../comments/marks.tsx")).CommentMarks);
const Dialogs = later(async () => (await import("./dialogs.tsx")).Dialogs);

export type ActingCanvasProps = {
  readonly bot: OpenBot;
  readonly view: OpenView;
  /** The current operation on the canvas, shared with the outline and the search. */
  readonly state: ActState;
  readonly isNarrow: boolean;
  readonly onOpen: (options: { readonly hasFocus: boolean }) => void;
  readonly onAct: CardAct;
  /** The marks and overlays of the screen, in addition to those of the canvas. */
  readonly marks?: CanvasProps["marks"];
  readonly further: readonly Overlay[];
  readonly onComment: CommentAct;
  /** Called when a comment mark is pressed. */
  readonly onThread: (threadId: string) => void;
};

/** The canvas with all its actions, the palette at the left, and the toolbar of the selection. */
export function ActingCanvas(props: ActingCanvasProps) {
  const { bot, view, state, isNarrow, onOpen, onAct, marks, further, onComment, onThread } = props;
  const types = useBlockTypes();
  const words = useWords(canvasActWords);
  const held = useMemo(() => ({ types, onOpen, onAct, onComment, onThread }), []);
  Object.assign(held, { types, onOpen, onAct, onComment, onThread });
  const { acts, act, context, gestures, onKey } = useMemo(() => {
    const play: CardAct = (name, at) => held.onAct(name, at);
    const made: ActContext = {
      ...{ bot, view, state, types: () => held.types },
      open: (options) => held.onOpen(options),
      focus: () => view.focus(),
      act: play,
      comment: (name, at) => held.onComment(name, at),
    };
    const own = createActs(made);
    return {
      acts: own,
      act: play,
      context: made,
      gestures: [
        createConnecting(own, view, state),
        createBesideDrag(own, view, state),
        createRowDrag(own, made),
        createWriting(own, made),
      ],
      onKey: createKeys(own, made),
    };
  }, [bot, view, state]);
  usePalette(async () => (await import("./palette-acts.ts")).paletteActs(acts, context));
  const own = useOverlays(context, acts, (threadId) => held.onThread(threadId));
  const overlays = useMemo(() => [...own, ...further], [own, further]);
  useClipboard(context, acts);
  const active = useComputed(() => {
    const last = view.selection.beside.value.at(-1);
    return last && besideElementId(last);
  });
  useSignalEffect(() => {
    // Moves the selected card out from under a panel that opens beside the canvas.
    if (view.camera.size.value.width === 0) return;
    const [id] = acts.chosen.cardOfSelection();
    const block = blockIdOf(view.selection.focus.value);
    if (id !== undefined) view.camera.reveal(id, rowBoxOf(view, block));
  });
  const isReadOnly = bot.editor.readOnly.value !== undefined;
  const isAnyChosen = useComputed(
    () => view.selection.now.value.kind !== "nothing" || state.connecting.value !== undefined,
  ).value;

  const isSomeoneHere = useComputed(() => bot.live.present.value.length > 0).value;
  // The scene must be read first, because building it collects the linked bots.
  const isLinking = useComputed(
    () => view.types.value !== undefined && view.scene.value.cards.size > 0 && view.linked.size > 0,
  ).value;

  useEffect(() => {
    if (isAnyChosen) void acts.loadPasting();
  }, [isAnyChosen, acts]);

  const onMenu = (hit: Hit, at: Point, world: Point): void => {
    if (isBeside(hit)) view.selection.act({ kind: "focus", thing: { kind: hit.kind, id: hit.id } });
    void showMenu(acts, context, { hit, at, world });
  };
  const onDouble = (hit: Hit, _event: MouseEvent, world: Point): boolean => {
    if (isReadOnly) return false;
    if (hit.kind === "note" || hit.kind === "frame") {
      acts.write({ kind: hit.kind, id: hit.id });
      return true;
    }
    if (hit.kind === "row" || hit.kind === "item" || (hit.kind === "title" && hit.of === "group"))
      return editOnCard(context, hit);
    if (hit.kind !== "ground") return false;
    state.asking.value = { kind: "block", place: { kind: "ground", at: cornerFor(world) } };
    return true;
  };
  const onDrag = (type: BlockType, at: Point, phase: DragPhase): void => {
    const isOver = isOnCanvas(view, at);
    const world = view.toWorld(at);
    const { name, icon } = type.editor;
    state.dragging.value =
      phase === "move" && isOver ? { label: name, icon, at: world, drop: dropAt(view, world) } : undefined;
    state.away.value = phase === "move" && !isOver ? { label: name, icon, at } : undefined;
    if (phase !== "drop" || !isOver) return;
    const drop = dropAt(view, world);
    if (drop.kind === "group") acts.add(type.type, { kind: "group", groupId: drop.groupId, before: drop.before });
    else if (drop.kind === "edge")
      acts.add(type.type, { kind: "edge", into: drop.edge.port.outlet, at: cornerFor(world) });
    else acts.add(type.type, { kind: "ground", at: cornerFor(world) });
  };

  const palette = !isReadOnly && (!isNarrow || state.isPaletteOpen.value) && (
    <Palette
      types={types}
      onAdd={(type) => acts.add(type)}
      onAddBeside={(kind) => (kind === "note" ? acts.addNote() : acts.addFrame())}
      onDrag={onDrag}
      {...(isNarrow && { onClose: () => (state.isPaletteOpen.value = false) })}
    />
  );
  const { menu, away } = state;
  return (
    <>
      {palette}
      <div class="acting">
        <Canvas
          view={view}
          {...{ gestures, overlays, onKey, onMenu, onDouble, onOpen, active }}
          onAct={act}
          {...(marks && { marks })}
        />
        {isNarrow && !isReadOnly && <PaletteButton onPress={() => (state.isPaletteOpen.value = true)} />}
        <Afterwards view={view} botId={bot.id} isReadOnly={isReadOnly} onTidy={() => void acts.tidyUp("all")} />
        {isAnyChosen && <ActBar acts={acts} context={context} />}
        <OnCardWhenMet {...{ acts, context }} isWanted={isAnyChosen || state.editing.value !== undefined} />
        {isLinking && <BotNames view={view} />}
        {isSomeoneHere && <FollowedPerson bot={bot} view={view} />}
      </div>
      {menu.value && (
        <MenuList
          label={words.chosenLabel}
          anchor={menu.value.at}
          items={menu.value.items}
          onClose={() => (menu.value = undefined)}
        />
      )}
      {away.value && (
        <span class="act-away" style={{ transform: `translate(${away.value.at.x}px, ${away.value.at.y}px)` }}>
          <Icon name={away.value.icon} size={16} />
          {away.value.label}
        </span>
      )}
      {state.asking.value && <Dialogs acts={acts} context={context} types={types} />}
    </>
  );
}

/**
 * Returns the overlays. The list changes only when notes or frames are added or removed; each overlay subscribes to its
 * own content.
 */
function useOverlays(context: ActContext, acts: ReturnType<typeof createActs>, onThread: (threadId: string) => void) {
  const { view, state } = context;
  const ids = useComputed(() => {
    const draft = view.source.editor.store.draft.value;
    return JSON.stringify({ notes: notesIn(draft).map(({ id }) => id), frames: framesIn(draft).map(({ id }) => id) });
  }).value;
  return useMemo(() => {
    const on = { acts, view, state };
    const people: Overlay = {
      key: "people",
      layer: "above",
      render: () => context.bot.live.present.value.length > 0 && <People bot={context.bot} view={view} />,
    };
    const comments: Overlay = {
      key: "comments",
      layer: "above",
      render: () => context.bot.comments.isMarked.value && <CommentMarks bot={context.bot} {...{ view, onThread }} />,
    };
    return [
      ...besideOverlays(on, JSON.parse(ids)),
      ghostOverlay(acts, view, state),
      people,
      comments,
      connectingOverlay(on),
      draggingOverlay(on),
    ];
  }, [ids, acts, view, state]);
}

function useClipboard({ view, state }: ActContext, acts: ReturnType<typeof createActs>): void {
  const element = view.element.value;
  useEffect(() => {
    if (!element) return undefined;
    // While a text is edited on its card, cut and paste belong to the text.
    const isBusy = () => view.source.editor.readOnly.value !== undefined || state.editing.value !== undefined;
    return listenToClipboard(element, acts, isBusy);
  }, [element, acts]);
}

function isOnCanvas(view: View, { x, y }: Point): boolean {
  const box = view.element.value?.getBoundingClientRect();
  return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** Returns the overlay of an empty flow: the preview of the first group, and the button that creates the group. */
function ghostOverlay(acts: Acts, view: View, state: ActState): Overlay {
  return { key: "ghost", layer: "above", render: () => <Ghost acts={acts} view={view} state={state} /> };
}

function Ghost({ acts, view, state }: { readonly acts: Acts; readonly view: View; readonly state: ActState }) {
  const { ghost: words } = useWords(canvasActWords);
  const { structure } = view.source.editor.store;
  if (structure.value.groups.length > 0 || view.source.editor.readOnly.value !== undefined) return null;
  const start = [...view.scene.value.cards.values()].find(({ kind }) => kind === "event");
  const { x = 0, y = 0, width = 0, height = 0 } = start?.box ?? {};
  // The preview is beside the start, or below the start if the canvas is narrow.
  const isBeside = view.camera.size.value.width >= 720;
  const corner = isBeside ? { x: x + width + 96, y: y - 24 } : { x: x + (width - sizes.card) / 2, y: y + height + 40 };
  const stop = { onPointerDown: (event: PointerEvent) => event.stopPropagation() };
  return (
    <div class="act-ghost" style={{ transform: `translate(${corner.x}px, ${corner.y}px)` }} {...stop}>
      <h2>{words.title}</h2>
      <div class="act-ghost-actions">
        <Button label={words.text} size="s" kind="primary" icon="message-circle" onPress={() => acts.add("text")} />
        <Button
          label={words.other}
          size="s"
          kind="quiet"
          onPress={() => (state.asking.value = { kind: "block", place: acts.placeForBlock() })}
        />
      </div>
    </div>
  );
}
