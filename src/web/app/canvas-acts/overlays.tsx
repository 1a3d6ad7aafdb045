import { computed, type ReadonlySignal, useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Overlay, PaintedArea, Point, View } from "../canvas/contract.ts";
import { sizes } from "../canvas/scene/geometry.ts";
import { holds } from "../editor/commands/arrange.ts";
import { framesIn, notesIn, renameFrame, writeNote } from "../editor/commands/surroundings.ts";
import type { Beside } from "../editor/selection.ts";
import { Icon } from "../ui/index.ts";
import canvasActWords from "../words/en/canvas-act.json";
import { useWords } from "../words/index.ts";
import type { Acts } from "./acts.ts";
import type { ActState } from "./state.ts";
import "./overlays.css";

type On = { readonly acts: Acts; readonly view: View; readonly state: ActState };
type Area = Point & { readonly width: number; readonly height: number };

/** The size of the corner that resizes a note or frame, and the width of the edge that drags a frame. */
const corner = 20;
const rim = 10;

/** Returns the overlays of notes and frames. Frames are below the cards, and notes are above the cards. */
export function besideOverlays(
  on: On,
  ids: { readonly notes: readonly string[]; readonly frames: readonly string[] },
): readonly Overlay[] {
  const { acts, view } = on;
  const areas = computed(() => areasIn(view.source.editor.store.draft.value));
  return [
    ...ids.frames.map(
      (id): Overlay => ({
        key: `frame ${id}`,
        layer: "below",
        render: () => <FrameView {...on} id={id} />,
        hit(at) {
          const frame = framesIn(acts.draft()).find((one) => one.id === id);
          if (!frame || !isIn(frame, at)) return undefined;
          if (isAtCorner(frame, at)) return { kind: "frame", id, part: "size" };
          if (at.y < frame.y + sizes.frameTitle) return { kind: "frame", id, part: "title" };
          const isAtRim =
            at.x < frame.x + rim || at.x > frame.x + frame.width - rim || at.y > frame.y + frame.height - rim;
          return isAtRim ? { kind: "frame", id, part: "rim" } : undefined;
        },
        painted: paintedOf(on, areas, { kind: "frame", id }),
      }),
    ),
    ...ids.notes.map(
      (id): Overlay => ({
        key: `note ${id}`,
        layer: "above",
        render: () => <NoteView {...on} id={id} />,
        hit(at) {
          const note = notesIn(acts.draft()).find((one) => one.id === id);
          if (!note || !isIn(note, at)) return undefined;
          return { kind: "note", id, part: isAtCorner(note, at) ? "size" : "body" };
        },
        painted: paintedOf(on, areas, { kind: "note", id }),
      }),
    ),
  ];
}

type Areas = ReadonlyMap<string, Omit<PaintedArea, "isChosen">>;

/** Returns the painted forms of all notes and frames, by kind and id. */
function areasIn(draft: Parameters<typeof notesIn>[0]): Areas {
  return new Map<string, Omit<PaintedArea, "isChosen">>([
    ...notesIn(draft).map(({ id, text, color = "yellow", x, y, width, height }) => {
      return [`note ${id}`, { kind: "note", text, color, x, y, width, height }] as const;
    }),
    ...framesIn(draft).map(({ id, title, color, x, y, width, height }) => {
      return [`frame ${id}`, { kind: "frame", text: title, color, x, y, width, height }] as const;
    }),
  ]);
}

/**
 * Returns the painted form of a note or frame. The form is undefined while the note or frame is dragged, resized or
 * edited, because it is then an element at any zoom.
 */
function paintedOf({ state, view }: On, areas: ReadonlySignal<Areas>, { kind, id }: Beside) {
  let last: PaintedArea | undefined;
  return computed((): PaintedArea | undefined => {
    const area = areas.value.get(`${kind} ${id}`);
    const isLive =
      state.shift.value?.ids.has(id) === true || state.sizing.value?.id === id || state.writing.value?.id === id;
    if (!area || isLive) return undefined;
    const now = { ...area, isChosen: view.selection.beside.value.some((one) => one.kind === kind && one.id === id) };
    if (JSON.stringify(now) !== JSON.stringify(last)) last = now;
    return last;
  });
}

function isIn({ x, y, width, height }: Area, at: Point): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}

function isAtCorner({ x, y, width, height }: Area, at: Point): boolean {
  return at.x > x + width - corner && at.y > y + height - corner;
}

/** Returns the appearance and the current box of a note or a frame, including a drag or resize in progress. */
function useArea({ state, view }: On, { kind, id }: Beside, stored: Area | undefined) {
  const isChosen = useComputed(() =>
    view.selection.beside.value.some((one) => one.kind === kind && one.id === id),
  ).value;
  const by = useComputed(() => (state.shift.value?.ids.has(id) ? state.shift.value.by : undefined)).value;
  const sizing = useComputed(() => (state.sizing.value?.id === id ? state.sizing.value.box : undefined)).value;
  const isWriting = useComputed(() => state.writing.value?.kind === kind && state.writing.value.id === id).value;
  const { x = 0, y = 0, width = 0, height = 0 } = sizing ?? stored ?? {};
  const looks = [isChosen && "is-chosen", (isWriting || sizing || by) && "is-live"].filter(Boolean).join(" ");
  const style = {
    transform: `translate(${x + (by?.x ?? 0)}px, ${y + (by?.y ?? 0)}px)`,
    width: `${width}px`,
    height: `${height}px`,
  };
  return { isChosen, isWriting, looks, style };
}

/** Returns the element id of a note or a frame, which identifies the focused element. */
export function besideElementId({ kind, id }: Beside): string {
  return `${kind}-${id.replaceAll(/\s/g, "_")}`;
}

function NoteView({ id, ...on }: On & { readonly id: string }) {
  const { note: words } = useWords(canvasActWords);
  const { acts, view } = on;
  const stored = useComputed(() => notesIn(view.source.editor.store.draft.value).find((one) => one.id === id)).value;
  const { isChosen, isWriting, looks, style } = useArea(on, { kind: "note", id }, stored);
  if (!stored) return null;
  return (
    <div
      id={besideElementId({ kind: "note", id })}
      class={`canvas-note is-${stored.color ?? "yellow"} ${looks}`}
      style={style}
      {...noteRole}
      {...{ "aria-label": words.read({ text: stored.text }) }}
    >
      {isWriting ? (
        <Writing
          label={words.name}
          value={stored.text}
          isMultiline
          onWrite={(text) => acts.run(writeNote, { noteId: id, text })}
          onEnd={() => endWriting(on)}
        />
      ) : (
        <p class={`canvas-note-text ${stored.text === "" ? "is-empty" : ""}`}>{stored.text || words.empty}</p>
      )}
      {isChosen && <span class="canvas-beside-corner" />}
    </div>
  );
}

function FrameView({ id, ...on }: On & { readonly id: string }) {
  const { frame: words } = useWords(canvasActWords);
  const { acts, view } = on;
  const stored = useComputed(() => framesIn(view.source.editor.store.draft.value).find((one) => one.id === id)).value;
  const { isChosen, isWriting, looks, style } = useArea(on, { kind: "frame", id }, stored);
  const count = useComputed(() => cardsWithin(view, id)).value;
  if (!stored) return null;
  return (
    <div
      id={besideElementId({ kind: "frame", id })}
      class={`canvas-frame is-${stored.color ?? "plain"} ${looks}`}
      style={style}
      {...frameRole}
      {...{ "aria-label": `${words.read({ title: stored.title })}, ${words.holds({ count })}` }}
    >
      {isWriting ? (
        <Writing
          label={words.rename}
          value={stored.title}
          onWrite={(title) => acts.run(renameFrame, { frameId: id, title })}
          onEnd={() => endWriting(on)}
        />
      ) : (
        <span class="canvas-frame-title">{stored.title || words.untitled}</span>
      )}
      {isChosen && <span class="canvas-beside-corner" />}
    </div>
  );
}

/** Returns the number of cards that move with a frame. */
function cardsWithin({ scene, source }: View, frameId: string): number {
  const frame = framesIn(source.editor.store.draft.value).find(({ id }) => id === frameId);
  return frame ? [...scene.value.cards.values()].filter(({ box }) => holds(frame, box)).length : 0;
}

function endWriting({ state, view }: On): void {
  state.writing.value = undefined;
  view.focus();
}

type WritingProps = {
  readonly label: string;
  readonly value: string;
  readonly isMultiline?: boolean;
  readonly onWrite: (text: string) => void;
  readonly onEnd: () => void;
};

/** The text field in a note or a frame. Its key and pointer events do not reach the canvas. */
function Writing({ label, value, isMultiline = false, onWrite, onEnd }: WritingProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  const stop = { onPointerDown: (event: PointerEvent) => event.stopPropagation() };
  return (
    <textarea
      ref={field}
      class="canvas-beside-field"
      aria-label={label}
      rows={1}
      maxLength={isMultiline ? 20_000 : 255}
      value={value}
      {...stop}
      onInput={(event) => onWrite(event.currentTarget.value)}
      onBlur={onEnd}
      onKeyDown={(event) => {
        event.stopPropagation();
        const isDone =
          event.key === "Escape" || (event.key === "Enter" && (!isMultiline || event.ctrlKey || event.metaKey));
        if (!isDone) return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

/** Returns the overlay of the edge that is being drawn, and its possible target. */
export function connectingOverlay({ view, state }: On): Overlay {
  return { key: "connecting", layer: "above", render: () => <ConnectingLine view={view} state={state} /> };
}

function ConnectingLine({ view, state }: Pick<On, "view" | "state">) {
  const asking = state.asking.value;
  const dropped = asking?.kind === "block" ? asking.line?.connecting : undefined;
  const now = state.connecting.value ?? dropped;
  const card = view.scene.value.cards.get(now?.port.cardId ?? "");
  if (!now || !card) return null;
  const port = { x: card.box.x + now.port.x, y: card.box.y + now.port.y };
  if (now.isWaiting) return <span class="canvas-port-waiting" style={at(port)} />;
  const fixed = now.end?.which === "from" ? now.end.edge.to : port;
  const [from, to] = now.end?.which === "from" ? [now.at, fixed] : [fixed, now.at];
  const target = now.end?.which === "from" || dropped ? undefined : view.cardAt(now.at);
  const bend = Math.max(24, Math.abs(to.x - from.x) / 2);
  return (
    <>
      <svg class="canvas-connecting" aria-hidden="true">
        <path d={`M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`} />
      </svg>
      {target?.kind === "group" && target.id !== now.port.cardId && (
        <span class="canvas-target" style={boxed(target.box)} />
      )}
    </>
  );
}

/** Returns the overlay of the dragged block and its drop position. */
export function draggingOverlay({ view, state }: On): Overlay {
  return { key: "dragging", layer: "above", render: () => <DraggingBlock view={view} state={state} /> };
}

function DraggingBlock({ view, state }: Pick<On, "view" | "state">) {
  const now = state.dragging.value;
  if (!now) return null;
  const { drop } = now;
  const card = drop.kind === "group" ? view.scene.value.cards.get(drop.groupId) : undefined;
  return (
    <>
      {drop.kind === "group" && card && (
        <>
          <span class="canvas-target" style={boxed(card.box)} />
          <span class="canvas-drop-line" style={{ ...at(drop.line), width: `${card.box.width}px` }} />
        </>
      )}
      {drop.kind === "edge" && <span class="canvas-drop-edge" style={at(drop.at)} />}
      <span class="canvas-dragged" style={at(now.at)}>
        <Icon name={now.icon} size={16} />
        {now.label}
      </span>
    </>
  );
}

function at({ x, y }: Point) {
  return { transform: `translate(${x}px, ${y}px)` };
}

function boxed({ width, height, ...point }: Area) {
  return { ...at(point), width: `${width}px`, height: `${height}px` };
}

const noteRole = { role: "note" } as const;
const frameRole = { role: "group" } as const;
