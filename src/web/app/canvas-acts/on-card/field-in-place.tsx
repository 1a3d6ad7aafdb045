import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { entriesOf, idOf } from "../../../../core/editing/changes/things.ts";
import { type JsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import { filesOfWorkspace, uploadToWorkspace } from "../../api/upload.ts";
import { addItem, setInBlock } from "../../editor/commands/blocks.ts";
import { idAfter, itemsIn } from "../../editor/commands/command.ts";
import { remove } from "../../editor/commands/groups.ts";
import { addVariable } from "../../editor/commands/variables.ts";
import { newId } from "../../editor/ids.ts";
import {
  type FieldSchema,
  Form,
  type FormContext,
  type OnSet,
  type Path,
  schemaAt,
  titleAt,
  widgetOf,
} from "../../forms/index.ts";
import { pastedLines } from "../../forms/layout/pasted-lines.ts";
import { textsOf } from "../../presence/texts.ts";
import { useInstance } from "../../session/service-pages.ts";
import { announce } from "../../ui/index.ts";
import onCardWords from "../../words/en/on-card.json";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import type { Caret } from "../caret.ts";
import { editOnCard, pathInBlock } from "../edit-on-card.ts";
import type { Editing } from "../state.ts";
import { Pinned } from "./pinned.tsx";
import { putCaret } from "./put-caret.ts";
import { useClosing } from "./use-closing.ts";

export type FieldInPlaceProps = {
  readonly acts: Acts;
  readonly context: ActContext;
  readonly groupId: string;
  readonly editing: Extract<Editing, { kind: "field" }>;
  /** Called when the field has the caret. */
  readonly onFocus: () => void;
};

/** The form field for a label, an option, a variable or a picture of a block, shown in the block's row. */
export function FieldInPlace({ acts, context, groupId, editing, onFocus }: FieldInPlaceProps) {
  const words = useWords(onCardWords);
  const { view, state, bot, types } = context;
  const { editor } = bot;
  const { id: blockId, itemId, pathId } = editing;
  const element = useRef<HTMLDivElement>(null);
  const title = useRef<string>(undefined);
  const block = useComputed(() => editor.store.block(blockId).value?.block).value;
  const known = types()?.get(textAt(block, "type") ?? "");
  const path = block && pathInBlock(block, editing);
  const field = known && path && schemaAt(known.schema, path);
  const kind = field && widgetOf(field);
  const formContext = useFieldContext(context, blockId);
  const close = (isFocused: boolean): void => {
    if (state.editing.value === editing) state.editing.value = undefined;
    if (title.current !== undefined) announce(title.current);
    if (isFocused) view.focus();
  };
  /** Ends the editing and returns the focus to the canvas. A new option that is still empty is removed. */
  const end = (): void => {
    close(true);
    const items = itemsIn(editor.store.find.block(blockId)?.block ?? {});
    const item = items.find((one) => idOf(one) === itemId);
    if (!editing.isNew || itemId === undefined || !item || !isBlank(item)) return;
    const done = acts.run(remove, { items: [{ blockId, itemId }] });
    if (done.kind === "done") view.selection.select({ kind: "block", id: blockId });
  };
  useLayoutEffect(() => view.camera.reveal(groupId), []);
  const row = view.scene.value
    .rowOf(blockId)
    ?.card.rows.find((one) => one.blockId === blockId && one.itemId === itemId && one.pathId === pathId);
  const card = view.scene.value.cards.get(groupId);
  const isGone = !field || !row || !card;
  useEffect(() => {
    // If the removed field had the focus, the focus returns to the canvas.
    if (isGone) close(document.activeElement === document.body);
  }, [isGone]);
  const place = path?.join(".");
  const { keep } = useCaret(element, { at: place, caret: editing.caret, isOpening: kind === "variable", onFocus });
  useClosing(element, { close: (isFocused) => (isFocused ? end() : close(false)), keeps: "[popover], dialog" });
  if (!block || !known || !path || !field || !row || !card) return null;
  const onSet: OnSet = (at, value, over) => {
    const fieldTitle = titleAt(known.schema, at);
    const done = editor.run(setInBlock, { blockId, path: at, value, over, title: fieldTitle });
    if (done.kind === "done") title.current = done.title;
    else acts.announced(done);
    // A variable is chosen from a list, so the choice ends the editing.
    if (kind === "variable") close(true);
  };
  const isOption = itemId !== undefined && pathId === undefined;
  const next = (item: string | undefined, isNew = false): void => {
    if (item !== undefined) editOnCard(context, { id: "", blockId, itemId: item, isNew });
  };
  const add = (): void => {
    const done = acts.run(addItem, { blockId, before: idAfter(itemsIn(block), itemId) });
    const made = view.selection.focus.value;
    if (done.kind === "done" && made?.kind === "item") next(made.id, true);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    keep(event);
    if (event.defaultPrevented || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
    const items = entriesOf(block["items"]);
    const at = items.findIndex((item) => idOf(item) === itemId);
    const to = event.key === "ArrowUp" ? items[at - 1] : event.key === "ArrowDown" ? items[at + 1] : undefined;
    if (event.key === "Enter" && kind !== "variable") {
      if (isOption && event.target.value !== "") add();
      else end();
    } else if (isOption && to !== undefined) next(idOf(to));
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const lines = pastedLines(event.clipboardData?.getData("text/plain") ?? "");
    const { target } = event;
    if (!isOption || lines.length < 2 || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const [first = "", ...rest] = lines;
    const [from, until] = [target.selectionStart ?? 0, target.selectionEnd ?? 0];
    const key = String(path.at(-1));
    const items = entriesOf(block["items"]);
    const index = items.findIndex((item) => idOf(item) === itemId);
    const made = rest.map((line) => ({ id: newId(), [key]: line }));
    if (items.length + made.length > mostOptions) {
      acts.announced({ kind: "refused", sentence: words.tooManyOptions({ most: mostOptions }) });
      return;
    }
    const now = {
      ...itemsIn(block)[index],
      [key]: `${target.value.slice(0, from)}${first}${target.value.slice(until)}`,
    };
    onSet(["items"], items.toSpliced(index, 1, now, ...made));
    next(made.at(-1)?.id);
  };
  const { x, y, width } = card.box;
  const isWide = kind === "media";
  return (
    <Pinned
      view={view}
      box={{ x, y: y + row.y, width, height: row.height }}
      class={`is-field ${isWide ? "is-wide" : ""}`}
      place={(box, { own }) => ({
        left: isWide ? box.x : box.x + box.width * fieldInset,
        top: isWide ? box.y : box.y + (box.height - own.height) / 2,
        width: isWide ? Math.max(320, box.width) : Math.max(200, box.width * (1 - fieldInset) - 8),
      })}
    >
      <div ref={element} class="on-card-field" {...{ onKeyDown, onPaste }}>
        <Form
          schema={onCardSchema(known.schema, path, (name) => words.field({ name }))}
          value={block}
          at={path.slice(0, -1)}
          only={[String(path.at(-1))]}
          onSet={onSet}
          context={formContext}
        />
      </div>
    </Pinned>
  );
}

function isBlank(item: JsonObject): boolean {
  return Object.entries(item).every(([key, value]) => key === "id" || value === undefined || value === "");
}

/** The maximum number of options, equal to the limit for a paste into the block's form. */
const mostOptions = 1_000;

/** The left edge of row texts, as a share of a card's width. */
const fieldInset = 30 / 272;

/**
 * Sets the caret in the field when the field appears, and again when another person has moved the option. For a
 * variable, the list of names opens immediately.
 */
function useCaret(
  element: { readonly current: HTMLElement | null },
  {
    at,
    caret,
    isOpening,
    onFocus,
  }: {
    readonly at: string | undefined;
    readonly caret: Caret | undefined;
    readonly isOpening: boolean;
    readonly onFocus: () => void;
  },
) {
  const last = useRef<number>(undefined);
  useLayoutEffect(() => {
    const field = element.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
    if (!field) return;
    field.focus({ preventScroll: true });
    if (last.current !== undefined) field.setSelectionRange(last.current, last.current);
    else if (isOpening) field.click();
    else putCaret(field, caret);
    onFocus();
  }, [at]);
  return {
    keep({ target }: Event): void {
      if (target instanceof HTMLInputElement) last.current = target.selectionStart ?? undefined;
    },
  };
}

/**
 * Returns the form context that the field needs: variable names, other people in the field, and a target for uploads.
 */
function useFieldContext({ bot }: ActContext, blockId: string): FormContext {
  const { has, bounds } = useInstance().value ?? {};
  return useMemo((): FormContext => {
    const { editor } = bot;
    const { workspaceId } = bot.bot.value;
    return {
      variables: editor.store.variables,
      makeVariable(name) {
        const made = newId();
        const done = editor.run(addVariable, { name, id: made });
        if (done.kind === "done") announce(done.title);
        return editor.copy.view().variables.find((variable) => variable.name === name)?.id ?? made;
      },
      groups: () => [],
      bots: () => [],
      credentials: () => [],
      isReadOnly: false,
      sharedText: textsOf(bot)(blockId),
      uploadMegabytes: bounds?.uploadMegabytes,
      ...(has?.storage && { upload: uploadToWorkspace(workspaceId), library: () => filesOfWorkspace(workspaceId) }),
    };
  }, [bot, blockId, has, bounds]);
}

/** Returns the schema with another title for the field, because the form beside the canvas contains the same field. */
function onCardSchema(schema: FieldSchema, [key, ...rest]: Path, name: (title: string) => string): FieldSchema {
  if (key === undefined) {
    const { help: _, ...field } = schema;
    return { ...field, title: name(schema.title ?? "") };
  }
  if (typeof key === "number") return { ...schema, items: onCardSchema(schema.items ?? {}, rest, name) };
  const inner = onCardSchema(schema.properties?.[key] ?? {}, rest, name);
  return { ...schema, properties: { ...schema.properties, [key]: inner } };
}
