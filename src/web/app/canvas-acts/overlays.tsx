/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Overlay, Point, View } from "../canvas/contract.ts";
import { type Frame, framesIn, type Note, notesIn, renameFrame, writeNote } from "../editor/commands/surroundings.ts";
import { Icon } from "../ui/index.ts";
import { canvasActWords } from "../words/flow-canvas-acts.ts";
import { useWords } from "../words/index.ts";
import type { Acts } from "./acts.ts";
import type { ActState, Beside } from "./state.ts";
import "./overlays.css";

type On = { readonly acts: Acts; readonly view: View; readonly state: ActState };
type Area = Point & { readonly width: number; readonly height: number };

/** How wide the corner is by which something is resized, and a frame's edge by which it is taken. */
const corner = 20;
const rim = 10;
const frameTitle = 36;

/** Frames lie below the cards, notes above them; what is being drawn or dragged above all. */
export function besideOverlays(
  on: On,
  ids: { readonly notes: readonly string[]; readonly frames: readonly string[] },
): readonly Overlay[] {
  const { acts } = on;
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
          if (at.y < frame.y + frameTitle) return { kind: "frame", id, part: "title" };
          const isAtRim =
            at.x < frame.x + rim || at.x > frame.x + frame.width - rim || at.y > frame.y + frame.height - rim;
          return isAtRim ? { kind: "frame", id, part: "rim" } : undefined;
        },
        paint: (context, zoom) =>
          paintFrame(
            context,
            zoom,
            framesIn(acts.draft()).find((one) => one.id === id),
          ),
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
        paint: (context, zoom) =>
          paintNote(
            context,
            zoom,
            notesIn(acts.draft()).find((one) => one.id === id),
          ),
      }),
    ),
  ];
}

function isIn({ x, y, width, height }: Area, at: Point): boolean {
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}

function isAtCorner({ x, y, width, height }: Area, at: Point): boolean {
  return at.x > x + width - corner && at.y > y + height - corner;
}

/** Where a note or a frame is at this moment: dragged, resized, or as it is stored. */
function useArea({ state }: On, { kind, id }: Beside, stored: Area | undefined) {
  const isChosen = useComputed(() => state.beside.value.some((one) => one.kind === kind && one.id === id)).value;
  const by = useComputed(() => (state.shift.value?.ids.has(id) ? state.shift.value.by : undefined)).value;
  const sizing = useComputed(() => (state.sizing.value?.id === id ? state.sizing.value.box : undefined)).value;
  const { x = 0, y = 0, width = 0, height = 0 } = sizing ?? stored ?? {};
  const style = {
    transform: `translate(${x + (by?.x ?? 0)}px, ${y + (by?.y ?? 0)}px)`,
    width: `${width}px`,
    height: `${height}px`,
  };
  return { isChosen, style };
}

function NoteView({ id, ...on }: On & { readonly id: string }) {
  const { note: words } = useWords(canvasActWords);
  const { acts, view, state } = on;
  const stored = useComputed(() => notesIn(view.source.editor.store.draft.value).find((one) => one.id === id)).value;
  const { isChosen, style } = useArea(on, { kind: "note", id }, stored);
  const isWriting = useComputed(() => state.writing.value?.kind === "note" && state.writing.value.id === id).value;
  if (!stored) return null;
  return (
    <div
      class={`canvas-note is-${stored.color ?? "yellow"} ${isChosen ? "is-chosen" : ""}`}
      style={style}
      {...noteRole}
      {...{ "aria-label": words.read(stored.text) }}
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
  const { acts, view, state } = on;
  const stored = useComputed(() => framesIn(view.source.editor.store.draft.value).find((one) => one.id === id)).value;
  const { isChosen, style } = useArea(on, { kind: "frame", id }, stored);
  const isWriting = useComputed(() => state.writing.value?.kind === "frame" && state.writing.value.id === id).value;
  if (!stored) return null;
  return (
    <div
      class={`canvas-frame is-${stored.color ?? "plain"} ${isChosen ? "is-chosen" : ""}`}
      style={style}
      {...frameRole}
      {...{ "aria-label": words.read(stored.title) }}
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

/** The field in a note or a frame. The canvas gets neither its keys nor its presses. */
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

/** The line that is being drawn, and what it would lead to. */
export function connectingOverlay({ view, state }: On): Overlay {
  return { key: "connecting", layer: "above", render: () => <ConnectingLine view={view} state={state} /> };
}

function ConnectingLine({ view, state }: Pick<On, "view" | "state">) {
  const now = state.connecting.value;
  const card = view.scene.value.cards.get(now?.port.cardId ?? "");
  if (!now || !card) return null;
  const port = { x: card.box.x + now.port.x, y: card.box.y + now.port.y };
  if (now.isWaiting) return <span class="canvas-port-waiting" style={at(port)} />;
  const fixed = now.end?.which === "from" ? now.end.edge.to : port;
  const [from, to] = now.end?.which === "from" ? [now.at, fixed] : [fixed, now.at];
  const target = now.end?.which === "from" ? undefined : view.cardAt(now.at);
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

/** The block that is on its way, and where it would go. */
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

function paintFrame(context: CanvasRenderingContext2D, zoom: number, frame: Frame | undefined): void {
  if (!frame) return;
  context.strokeStyle = "rgb(128 128 128 / 60%)";
  context.fillStyle = "rgb(128 128 128 / 8%)";
  context.lineWidth = 1 / zoom;
  context.fillRect(frame.x, frame.y, frame.width, frame.height);
  context.strokeRect(frame.x, frame.y, frame.width, frame.height);
  if (frame.title === "") return;
  // Readable from afar, as titles of cards are.
  const size = Math.max(14, Math.min(11 / zoom, frame.height / 3));
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.fillStyle = "rgb(128 128 128)";
  context.fillText(frame.title, frame.x + size / 2, frame.y + size * 1.3, frame.width - size);
}

function paintNote(context: CanvasRenderingContext2D, _zoom: number, note: Note | undefined): void {
  if (!note) return;
  context.fillStyle = "rgb(236 200 90 / 55%)";
  context.fillRect(note.x, note.y, note.width, note.height);
}

const noteRole = { role: "note" } as const;
const frameRole = { role: "group" } as const;
