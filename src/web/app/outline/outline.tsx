import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { walkOf } from "../../../core/editing/references/walk.ts";
import type { Mark } from "../canvas/contract.ts";
import { createView } from "../canvas/view.ts";
import { createActState } from "../canvas-acts/state.ts";
import { listenToClipboard } from "../canvas-acts/system-clipboard.ts";
import { framesIn, notesIn } from "../editor/commands/surroundings.ts";
import type { OpenBot } from "../editor/index.ts";
import { type Beside, blockIdOf, isBeside, isInCard, thingsOf } from "../editor/selection.ts";
import { linkedIn, useLinkedBots } from "../forms/linked-bots.ts";
import { useBlockTypes } from "../forms/reading.ts";
import { entriesOfMenu } from "../palette/entries.ts";
import { usePalette } from "../palette/offers.tsx";
import { type Anchor, Button, EmptyState, later, MenuList } from "../ui/index.ts";
import onCardWords from "../words/en/on-card.json";
import outlineWords from "../words/en/outline.json";
import { useWords } from "../words/index.ts";
import { type OnCanvas, useActions } from "./actions.ts";
import { BesideDialog } from "./beside-dialog.tsx";
import { onOutlineKey } from "./keys.ts";
import { allRows, rowsTo } from "./marks.ts";
import { OutlineRow } from "./row.tsx";
import { type Closed, keyOf, keysOfGroups, type Row, rowsOf, thingOf, windowOf } from "./rows.ts";
import "./outline.css";
import type { RefObject } from "preact";

const Dialogs = later(async () => (await import("../canvas-acts/dialogs.tsx")).Dialogs);

export type OutlineProps = OnCanvas & {
  /** The figures of rows, in a separate column. */
  readonly marks?: ReadonlySignal<ReadonlyMap<string, Mark>>;
  /** Shows the form of the selection and moves the focus to it. */
  readonly onOpen: () => void;
  /** Shows the form without moving the focus. */
  readonly onShow: () => void;
};

/**
 * Shows a flow as a tree grid: the events and groups in walking order with their blocks and items, followed by the
 * notes and frames.
 */
export function Outline({ onOpen: openForm, onShow, marks, ...canvas }: OutlineProps) {
  const { bot } = canvas;
  const view = useMemo(() => canvas.view ?? createView(bot), [bot, canvas.view]);
  const state = useMemo(() => canvas.state ?? createActState(), [bot, canvas.state]);
  const { outline: words, menu: menuWords } = useWords(outlineWords);
  const types = useBlockTypes();
  const { editor } = bot;
  const { thisBot } = useWords(onCardWords);
  const linked = useComputed(() => linkedIn(editor.store.draft.value.groups)).value;
  const bots = useLinkedBots(linked === "" ? [] : linked.split(" "), { current: thisBot, missing: words.missing });
  const scroll = useRef<HTMLDivElement>(null);
  const seen = useScroll(scroll);
  const [closed, setClosed] = useState<Closed>(new Set());
  /** The key of the row at which an extended selection begins. */
  const anchor = useRef<string>(undefined);
  const [menu, setMenu] = useState<{ readonly row: Row; readonly anchor: Anchor }>();
  const structure = editor.store.structure.value;
  const walk = useMemo(() => walkOf(structure), [structure]);
  const beside = useBeside(bot);
  const rows = useMemo(() => rowsOf(structure, walk, { closed, beside }), [structure, walk, closed, beside]);
  const things = thingsOf(editor.selection.now.value);
  const keys = new Set(things.map(keyOf));
  const selected = [...keys].at(-1);
  const activeIndex = Math.max(
    0,
    useMemo(() => rows.findIndex(({ key }) => key === selected), [rows, selected]),
  );
  const active = rows[activeIndex];
  const wantsFocus = useSignal(false);
  const isMarked = ({ key }: Row): boolean => keys.size > 1 && keys.has(key);
  const marked = rows.filter(isMarked);
  // Without a selection, the first row is reachable with the keyboard.
  const chosen = marked.length === 0 && active ? [active] : marked;
  const select = (row: Row): void => {
    anchor.current = undefined;
    editor.selection.select(thingOf(row));
  };
  const selectAll = (all: readonly Row[]): void => {
    anchor.current ??= active?.key;
    editor.selection.act({ kind: "selectAll", things: all.map(thingOf) });
    wantsFocus.value = true;
  };
  const onOpen = (): void => {
    const thing = active && thingOf(active);
    if (thing && isBeside(thing)) {
      state.writing.value = thing;
      return;
    }
    // The form gets the focus, which overrides a pending request to focus a row.
    wantsFocus.value = false;
    openForm();
  };
  const actions = useActions(
    { ...canvas, view, state },
    { types, rows, chosen, onOpen, focusRow: () => (wantsFocus.value = true) },
  );

  usePalette(() => [
    ...(things.length > 0 ? entriesOfMenu(actions.menu(), "chosen") : []),
    ...entriesOfMenu(actions.menuOfFlow(), "acts"),
  ]);
  const go = (row: Row | undefined, { isExtending = false } = {}): void => {
    if (!row) return;
    if (isExtending) {
      selectAll(
        rowsTo(
          rows,
          rows.find(({ key }) => key === (anchor.current ?? active?.key)),
          row,
        ),
      );
      return;
    }
    wantsFocus.value = true;
    select(row);
  };
  const toggle = (row: Row): void => {
    const next = new Set(closed);
    if (!next.delete(row.key)) next.add(row.key);
    setClosed(next);
  };

  // Scrolls to the selected row, which may have been created or selected elsewhere.
  useLayoutEffect(() => {
    const holder = scroll.current;
    if (!holder || !selected) return;
    const [top, bottom] = [activeIndex * seen.rowHeight, (activeIndex + 1) * seen.rowHeight];
    if (top < holder.scrollTop) holder.scrollTop = top;
    // The column header stays above the rows and covers one row height.
    else if (bottom > holder.scrollTop + holder.clientHeight - seen.rowHeight)
      holder.scrollTop = bottom - holder.clientHeight + seen.rowHeight;
  }, [selected, activeIndex]);
  useLayoutEffect(() => {
    if (!wantsFocus.value || !active) return;
    const element = document.getElementById(`row-${active.key}`);
    if (!element) return;
    wantsFocus.value = false;
    element.focus({ preventScroll: true });
  });
  // Expands the row that contains the selection.
  useEffect(() => {
    const thing = editor.selection.focus.value;
    if (!thing || rows.some(({ key }) => key === keyOf(thing))) return;
    const blockId = isInCard(thing) ? blockIdOf(thing) : undefined;
    const groupId = blockId === undefined ? undefined : editor.store.find.block(blockId)?.groupId;
    const hiding = [`group:${groupId}`, `block:${blockId}`].filter((key) => closed.has(key));
    if (hiding.length > 0) setClosed(new Set([...closed].filter((key) => !hiding.includes(key))));
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const isHandled = onOutlineKey(event, {
      rows,
      active,
      activeIndex,
      pageRows: Math.max(1, Math.floor(seen.height / seen.rowHeight) - 2),
      go,
      toggle,
      open: onOpen,
      markAll: () => selectAll(allRows(rows, active, marked.length)),
      unmark: () => active && select(active),
      showMenu: (row) => {
        const element = document.getElementById(`row-${row.key}`);
        if (element) setMenu({ row, anchor: element });
      },
      actions,
    });
    if (isHandled) event.preventDefault();
  };

  useEffect(
    () =>
      scroll.current
        ? listenToClipboard(scroll.current, actions.acts, () => editor.readOnly.value !== undefined)
        : undefined,
    [actions],
  );
  const { first, last } = windowOf(rows.length, seen);
  const isEmpty = structure.groups.length === 0;
  const isAllClosed = closed.size > 0;
  return (
    <section class={`outline ${marks ? "has-rates" : ""}`}>
      <div class="outline-scroll" ref={scroll} {...{ onKeyDown }}>
        <div
          class="outline-rows"
          {...grid}
          {...{
            "aria-label": words.name({ bot: bot.bot.value.name, groups: structure.groups.length }),
            "aria-rowcount": rows.length + 1,
            "aria-readonly": editor.readOnly.value !== undefined,
          }}
        >
          <div class="outline-head" {...head}>
            {Object.entries(words.columns).map(([key, name]) => (
              <span key={key} {...columnHeader}>
                {name}
              </span>
            ))}
            {marks && (
              <span {...columnHeader} class="outline-rate">
                {words.rates}
              </span>
            )}
          </div>
          <div class="outline-body" {...rowGroup} style={{ height: `${rows.length * seen.rowHeight}px` }}>
            {rows.slice(first, last).map((row, offset) => (
              <OutlineRow
                key={row.key}
                bot={bot}
                row={row}
                index={first + offset}
                top={(first + offset) * seen.rowHeight}
                types={types}
                bots={bots}
                isActive={row === active}
                isMarked={isMarked(row)}
                marks={marks}
                onFocus={(focused) => editor.selection.act({ kind: "focus", thing: thingOf(focused) })}
                onPress={(pressed, event) => {
                  go(pressed, { isExtending: event.shiftKey });
                  if (!isBeside(pressed) && !event.shiftKey && !event.ctrlKey && !event.metaKey) onShow();
                }}
                onMenu={(pressed, anchor) => {
                  if (!isMarked(pressed)) go(pressed);
                  setMenu({ row: pressed, anchor });
                }}
                onToggle={toggle}
              />
            ))}
          </div>
        </div>
        {isEmpty && (
          <EmptyState icon="message-circle" title={words.empty} text={words.emptyHelp}>
            <Button
              label={words.addBlock}
              kind="primary"
              icon="plus"
              isDisabled={editor.readOnly.value !== undefined}
              onPress={actions.addBlock}
            />
          </EmptyState>
        )}
      </div>
      {editor.readOnly.value === undefined && (
        <div class="outline-foot">
          <Button label={words.addBlock} size="s" icon="plus" onPress={actions.addBlock} />
          <Button label={words.addGroup} size="s" kind="quiet" icon="folder-plus" onPress={actions.addGroup} />
          <Button label={words.addEvent} size="s" kind="quiet" icon="radio" onPress={actions.addEvent} />
          <Button
            label={isAllClosed ? menuWords.expand : menuWords.collapse}
            size="s"
            kind="quiet"
            icon="list-tree"
            onPress={() => setClosed(isAllClosed ? new Set() : new Set(keysOfGroups(structure)))}
          />
        </div>
      )}
      {menu && (
        <MenuList
          label={words.actions({ name: "" })}
          anchor={menu.anchor}
          items={actions.menu()}
          onClose={() => setMenu(undefined)}
        />
      )}
      {state.asking.value && <Dialogs {...actions} types={types} />}
      {state.writing.value && (
        <BesideDialog
          bot={bot}
          state={state}
          onClose={() => {
            state.writing.value = undefined;
          }}
          onGone={(written) => {
            editor.selection.select(written);
            document.getElementById(`row-${keyOf(written)}`)?.focus();
          }}
        />
      )}
    </section>
  );
}

/** Returns the notes and frames. The list is the same object until a note or frame is added, removed or reordered. */
function useBeside({ editor: { store } }: OpenBot): readonly Beside[] {
  const ids = useComputed(() => {
    const draft = store.draft.value;
    return JSON.stringify([framesIn(draft).map(({ id }) => id), notesIn(draft).map(({ id }) => id)]);
  }).value;
  return useMemo(() => {
    // The draft changes with every key, but `ids` changes only with the list.
    const draft = store.draft.peek();
    return [
      ...framesIn(draft).map(({ id }) => ({ kind: "frame", id }) as const),
      ...notesIn(draft).map(({ id }) => ({ kind: "note", id }) as const),
    ];
  }, [ids, store]);
}

const grid = { role: "treegrid", "aria-multiselectable": "true" } as const;
const head = { role: "row", "aria-rowindex": 1 } as const;
const columnHeader = { role: "columnheader" } as const;
const rowGroup = { role: "rowgroup" } as const;

/** The visible part of a list. Positions are rounded to eight rows, so that scrolling by a few rows renders nothing. */
type View = { readonly top: number; readonly height: number; readonly rowHeight: number };

const narrow = "(max-width: 760px), (pointer: coarse) and (max-width: 900px)";

function useScroll(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 800, rowHeight: 36 });
  useLayoutEffect(() => {
    const holder = element.current;
    if (!holder) return;
    const media = matchMedia(narrow);
    const read = () => {
      const rowHeight = media.matches ? 58 : 36;
      const step = rowHeight * 8;
      const next = { top: Math.floor(holder.scrollTop / step) * step, height: holder.clientHeight + step, rowHeight };
      setView((now) =>
        now.top === next.top && now.height === next.height && now.rowHeight === next.rowHeight ? now : next,
      );
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(holder);
    holder.addEventListener("scroll", read, { passive: true });
    media.addEventListener("change", read);
    return () => {
      observer.disconnect();
      holder.removeEventListener("scroll", read);
      media.removeEventListener("change", read);
    };
  }, []);
  return view;
}
