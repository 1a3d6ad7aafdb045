import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type JsonObject, textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import { writeText } from "../../editor/commands/blocks.ts";
import { renameGroup } from "../../editor/commands/groups.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import { addVariable } from "../../editor/commands/variables.ts";
import { newId } from "../../editor/ids.ts";
import { blockIdOf } from "../../editor/selection.ts";
import { type HeldKeys, holdKeys } from "../../keys/hold-keys.ts";
import { textsOf } from "../../presence/texts.ts";
import { announce, later, Skeleton } from "../../ui/index.ts";
import commandWords from "../../words/en/command.json";
import onCardWords from "../../words/en/on-card.json";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import type { Caret } from "../caret.ts";
import type { Editing } from "../state.ts";
import type { Met } from "./met.ts";
import { Pinned } from "./pinned.tsx";
import { putCaret } from "./put-caret.ts";
import { useClosing } from "./use-closing.ts";

const FieldInPlace = later(async () => (await import("./field-in-place.tsx")).FieldInPlace);
const RichText = later(async () => (await import("../../text/rich-text.tsx")).RichText, <Skeleton rows={2} />);

type InPlaceProps = {
  readonly acts: Acts;
  readonly context: ActContext;
  readonly met: Met;
  readonly editing: Editing;
};

/**
 * The editor of a text on its card. Editing also ends when the text is locked or removed, another object is selected,
 * or the flow becomes read-only.
 */
export function InPlace({ acts, context, met, editing }: InPlaceProps) {
  const { refusals } = useWords(commandWords);
  const { editor } = context.bot;
  const { store } = editor;
  const groupId = editing.kind === "title" ? editing.id : store.block(editing.id).value?.groupId;
  const group = store.group(groupId ?? "").value;
  const isLocked = useComputed(() => isGroupLocked(store.draft.value, groupId ?? "")).value;
  const isReadOnly = editor.readOnly.value !== undefined;
  const { focus, now } = editor.selection;
  const isSelected = useComputed(
    () => editing.kind === "title" || (now.value.kind === "one" && blockIdOf(focus.value) === editing.id),
  ).value;
  useEffect(() => {
    if (isLocked) acts.announced({ kind: "refused", sentence: refusals.locked });
    if (group && !isLocked && !isReadOnly && isSelected) return;
    context.state.editing.value = undefined;
    // If the focused field was removed, the canvas handles keys again.
    if (document.activeElement === document.body) context.view.focus();
  }, [group, isLocked, isReadOnly, isSelected]);
  useEffect(
    () => () => {
      // When the author leaves the canvas, the editing ends.
      if (context.state.editing.peek() === editing) context.state.editing.value = undefined;
    },
    [],
  );
  useEffect(() => {
    // A title is saved when its field loses the focus.
    if (editing.kind === "title") return undefined;
    // The editor may still be loading. If the author presses elsewhere in the meantime, the editor must not open and
    // take the focus.
    const onOutside = ({ target }: Event): void => {
      if (target instanceof Element && !target.closest(".on-card, [popover], dialog"))
        context.state.editing.value = undefined;
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("pointerdown", onOutside, { signal, capture: true });
    document.addEventListener("focusin", onOutside, { signal });
    return () => listening.abort();
  }, []);
  const onFocus = useKeysMeanwhile(met, editing.kind !== "title");
  if (!group || groupId === undefined || isLocked || isReadOnly || !isSelected) return null;
  if (editing.kind === "field") return <FieldInPlace {...{ acts, context, groupId, editing, onFocus }} />;
  if (editing.kind === "title") return <Title {...{ acts, context, groupId, group, onFocus }} />;
  return <Text {...{ acts, context, groupId, onFocus }} blockId={editing.id} caret={editing.caret} />;
}

/**
 * Buffers typed keys until the editor is ready, because on the canvas, Delete would remove the block. Returns the
 * function that the editor calls when it has the focus.
 */
function useKeysMeanwhile(met: Met, isLate: boolean): () => void {
  const keys = useRef<HeldKeys | "given">(undefined);
  useLayoutEffect(() => {
    // An editor that is already loaded gets the focus immediately, so no keys are buffered.
    if (!isLate || keys.current === "given") return undefined;
    const held = met.keys ?? holdKeys();
    met.keys = undefined;
    keys.current = held;
    return held.release;
  }, []);
  return () => {
    const held = typeof keys.current === "object" ? keys.current : met.keys;
    met.keys = undefined;
    held?.give();
    keys.current = "given";
  };
}

type TitleProps = Omit<InPlaceProps, "editing" | "met"> & {
  readonly groupId: string;
  readonly group: JsonObject;
  readonly onFocus: () => void;
};

/** Edits a group's title. Enter and leaving the field save the title, and Escape discards the change. */
function Title({ acts, context, groupId, group, onFocus }: TitleProps) {
  const words = useWords(onCardWords);
  const { view, state } = context;
  const field = useRef<HTMLInputElement>(null);
  const stored = textAt(group, "title") ?? "";
  const [typed, setTyped] = useState(stored);
  const last = useRef(typed);
  last.current = typed;
  const isDone = useRef(false);
  const end = ({ isKept, isFocused }: { readonly isKept: boolean; readonly isFocused: boolean }): void => {
    if (isDone.current) return;
    isDone.current = true;
    const title = last.current.trim();
    if (isKept && title !== stored) acts.run(renameGroup, { groupId, title });
    state.editing.value = undefined;
    if (isFocused) view.focus();
  };
  useLayoutEffect(() => {
    view.camera.reveal(groupId);
    field.current?.focus({ preventScroll: true });
    field.current?.select();
    onFocus();
  }, []);
  useEffect(() => {
    // Saves on `pagehide`, because the page may never be shown again.
    const leave = (): void => end({ isKept: true, isFocused: false });
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);
  const card = view.scene.value.cards.get(groupId);
  if (!card) return null;
  return (
    <Pinned
      view={view}
      box={card.box}
      class="is-title"
      place={({ x, y, width }) => ({ left: x, top: y, width: Math.max(200, width) })}
    >
      <input
        ref={field}
        class="on-card-title"
        aria-label={words.title}
        value={typed}
        maxLength={255}
        dir="auto"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => end({ isKept: true, isFocused: false })}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          end({ isKept: event.key === "Enter", isFocused: true });
        }}
      />
    </Pinned>
  );
}

type TextProps = Omit<InPlaceProps, "editing" | "met"> & {
  readonly groupId: string;
  readonly blockId: string;
  readonly caret: Caret | undefined;
  /** Called when the text has the caret. */
  readonly onFocus: () => void;
};

/**
 * The height of the toolbar above the first line. The editor is shifted by this height, so that the letters keep their
 * position.
 */
const toolbarHeight = 40;

/**
 * Edits the text of a bubble. The text is saved while the author types, as one undo step. Escape and a press elsewhere
 * close the editor.
 */
function Text({ acts, context, groupId, blockId, caret, onFocus }: TextProps) {
  const words = useWords(onCardWords);
  const { view, state, bot } = context;
  const { editor } = bot;
  const element = useRef<HTMLDivElement>(null);
  const opening = useMemo(newId, []);
  const title = useRef<string>(undefined);
  const tree = useComputed(() => valueAt(editor.store.block(blockId).value?.block, "content", "richText")).value;
  const shared = useMemo(() => textsOf(bot)(blockId)(["content", "richText"]), [bot, blockId]);
  const row = view.scene.value.rowOf(blockId);
  const close = (isFocused: boolean): void => {
    state.editing.value = undefined;
    if (title.current !== undefined) announce(title.current);
    if (isFocused) view.focus();
  };
  useLayoutEffect(() => view.camera.reveal(groupId), []);
  const isGone = !row || !Array.isArray(tree);
  useEffect(() => {
    if (isGone) close(document.activeElement === document.body);
  }, [isGone]);
  useFocusWithin(element, caret, onFocus);
  // Escape first closes menus that are open in the text.
  useClosing(element, { close, keeps: "[popover], .app-text-link-form" });
  if (!row || !Array.isArray(tree)) return null;
  const { x, y, width } = row.card.box;
  return (
    <Pinned
      view={view}
      box={{ x, y: y + row.row.y, width, height: row.row.height }}
      class="is-text"
      place={(box) => ({
        left: box.x + box.width * 0.08,
        top: box.y - toolbarHeight,
        width: Math.max(344, Math.min(520, box.width)),
      })}
    >
      <div ref={element} class="on-card-text">
        <RichText
          label={words.field({ name: words.text })}
          value={tree}
          onChange={(next, over) => {
            const done = editor.run(writeText, { blockId, tree: next, over, opening, title: words.text });
            if (done.kind === "done") title.current = done.title;
            else acts.announced(done);
          }}
          names={editor.store.variables.value.map(({ name }) => name)}
          makeVariable={(name) => acts.announced(editor.run(addVariable, { name, id: newId() }))}
          isReadOnly={false}
          shared={shared}
        />
      </div>
    </Pinned>
  );
}

/** Sets the caret in the text once the editor is ready. */
function useFocusWithin(
  element: { readonly current: HTMLElement | null },
  caret: Caret | undefined,
  onFocus: () => void,
): void {
  useEffect(() => {
    const holder = element.current;
    if (!holder) return undefined;
    const focus = (): boolean => {
      const text = holder.querySelector<HTMLElement>(".app-text-editor");
      if (!text) return false;
      text.focus({ preventScroll: true });
      putCaret(text, caret);
      onFocus();
      return true;
    };
    if (focus()) return undefined;
    const observer = new MutationObserver(() => focus() && observer.disconnect());
    observer.observe(holder, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
}
