import { Frame, StickyNote } from "lucide";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BlockType } from "../forms/index.ts";
import { sectionOf } from "../forms/reading.ts";
import { addIcons, Button, bestFits, Dialog, IconButton, TextField, Tile } from "../ui/index.ts";
import canvasActWords from "../words/en/canvas-act.json";
import outlineWords from "../words/en/outline.json";
import { useWords } from "../words/index.ts";
import "./palette.css";

addIcons({ frame: Frame, "sticky-note": StickyNote });

export type PaletteProps = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly onAdd: (type: string) => void;
  readonly onAddBeside: (kind: "note" | "frame") => void;
  /**
   * Called with the pointer's position while a block is dragged out of the palette (`move`), and once at the end of the
   * drag (`drop` or `cancel`).
   */
  readonly onDrag: (type: BlockType, at: { readonly x: number; readonly y: number }, phase: DragPhase) => void;
  /** If set, the palette is a sheet that covers the flow, because there is no room beside the flow. */
  readonly onClose?: () => void;
};

export type DragPhase = "move" | "drop" | "cancel";

/** The distance in pixels that the pointer must move before a drag begins. */
const dragFrom = 5;

/** All blocks by family, with a search over their names and keywords. Notes and frames are below the blocks. */
export function Palette(props: PaletteProps) {
  const { palette: words } = useWords(canvasActWords);
  const { onClose } = props;
  if (onClose)
    return (
      <Dialog shape="sheet" title={words.title} onClose={onClose}>
        <PaletteList {...props} />
      </Dialog>
    );
  return (
    <section class="palette" aria-label={words.title}>
      <PaletteList {...props} />
    </section>
  );
}

function PaletteList({ types, onAdd, onAddBeside, onDrag, onClose }: PaletteProps) {
  const { palette: words } = useWords(canvasActWords);
  const { picker } = useWords(outlineWords);
  const [typed, setTyped] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => matching([...(types?.values() ?? [])], typed), [types, typed]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = document.activeElement instanceof HTMLElement ? buttons.indexOf(document.activeElement) : -1;
    const next =
      event.key === "ArrowDown" || event.key === "ArrowRight"
        ? buttons[at + 1]
        : event.key === "ArrowUp" || event.key === "ArrowLeft"
          ? buttons[Math.max(0, at - 1)]
          : event.key === "Home" && at >= 0
            ? buttons[0]
            : event.key === "End" && at >= 0
              ? buttons.at(-1)
              : undefined;
    if (!next || (at < 0 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    next.focus();
  };
  const add = (type: string): void => {
    onClose?.();
    onAdd(type);
  };
  // The author may press Enter before the catalogue is loaded. The block is then added after loading.
  const isAwaited = useRef(false);
  useEffect(() => {
    const [first] = found;
    if (!types || !isAwaited.current) return;
    isAwaited.current = false;
    if (first) add(first.type);
  }, [types]);
  return (
    <div class="palette-inner" {...{ onKeyDown }}>
      <TextField
        label={words.search}
        isLabelHidden
        placeholder={words.search}
        type="search"
        icon="search"
        value={typed}
        onInput={(text) => {
          isAwaited.current = false;
          setTyped(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          isAwaited.current = types === undefined;
          if (found[0]) add(found[0].type);
        }}
      />
      <div class="palette-list" ref={list}>
        {sections.map((section) => {
          const own = found.filter((type) => sectionOf(type) === section);
          if (own.length === 0) return null;
          return (
            <section key={section}>
              <h2 class="palette-family">{picker.families[section]}</h2>
              <ul>
                {own.map((type) => (
                  <li key={type.type}>
                    <PaletteBlock type={type} onAdd={() => add(type.type)} onDrag={onDrag} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        {types && found.length === 0 && <p class="palette-none">{words.none}</p>}
      </div>
      <div class="palette-beside">
        {(["note", "frame"] as const).map((kind) => (
          <Button
            label={words[kind]}
            key={kind}
            size="s"
            icon={kind === "note" ? "sticky-note" : "frame"}
            onPress={() => {
              onClose?.();
              onAddBeside(kind);
            }}
          />
        ))}
      </div>
    </div>
  );
}

type PaletteBlockProps = Pick<PaletteProps, "onDrag"> & { readonly type: BlockType; readonly onAdd: () => void };

function PaletteBlock({ type, onAdd, onDrag }: PaletteBlockProps) {
  const { palette: words } = useWords(canvasActWords);
  const start = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const isDragged = useRef(false);
  const { name, icon, family } = type.editor;
  const stop = (event: PointerEvent, phase: "drop" | "cancel"): void => {
    if (isDragged.current) onDrag(type, { x: event.clientX, y: event.clientY }, phase);
    start.current = undefined;
  };
  const drag = {
    // A finger scrolls the list; a tap adds a block.
    onPointerDown(event: PointerEvent) {
      isDragged.current = false;
      if (event.button !== 0 || event.pointerType === "touch" || !(event.currentTarget instanceof Element)) return;
      start.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const from = start.current;
      if (!from) return;
      const at = { x: event.clientX, y: event.clientY };
      isDragged.current ||= Math.hypot(at.x - from.x, at.y - from.y) >= dragFrom;
      if (isDragged.current) onDrag(type, at, "move");
    },
    onPointerUp: (event: PointerEvent) => stop(event, "drop"),
    onPointerCancel: (event: PointerEvent) => stop(event, "cancel"),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape" || !start.current) return;
      event.stopPropagation();
      onDrag(type, start.current, "cancel");
      start.current = undefined;
    },
  };
  return (
    <button
      type="button"
      class="palette-block"
      title={type.summary}
      aria-description={words.placed({ name })}
      {...drag}
      onClick={() => {
        if (!isDragged.current) onAdd();
        isDragged.current = false;
      }}
    >
      <Tile icon={icon} family={family} />
      {name}
    </button>
  );
}

/** The button that opens the palette when there is no room for the palette beside the flow. */
export function PaletteButton({ onPress }: { readonly onPress: () => void }) {
  const { palette: words } = useWords(canvasActWords);
  return <IconButton icon="plus" label={words.open} kind="primary" class="palette-open" onPress={onPress} />;
}

/** The sections of the palette, in display order. */
const sections = ["bubble", "input", "logic", "ai", "integration"] as const;

/** Returns the blocks that match the typed text. Blocks whose names begin with the text come first. */
function matching(types: readonly BlockType[], typed: string): readonly BlockType[] {
  const blocks = types.filter(({ family }) => family !== "event");
  return bestFits(blocks, typed, ({ summary, editor: { name, words } }) => ({ label: name, words, detail: summary }));
}
