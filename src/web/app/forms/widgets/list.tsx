import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { runCommand } from "../../keys/keymap.ts";
import { announce, Button, IconButton, TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { entryTitle } from "../row.ts";
import { isObject, textOf, withMoved, withoutEntry } from "../values.ts";

/**
 * A list of objects with their fields. A button adds an entry at the end. Enter in the first field of an entry adds one
 * below it. Entries are moved with buttons or with Alt and the arrow keys.
 */
export function List(props: WidgetProps) {
  const { schema, path, around } = props;
  const { context, Fields } = useFormRoot();
  const words = useWords(formWords);
  const items = schema.items ?? {};
  const inside = [...around, { schema, value: props.value }];
  return (
    <Entries
      of={props}
      class="app-form-entry"
      make={() => ({ id: newEntryId() })}
      titleOf={(entry) => entryTitle(items, entry, context)}
    >
      {({ entry, index, title, isLast, move, removeButton }) => (
        <>
          <div class="app-form-entry-head">
            <span class="app-form-entry-title">{title}</span>
            {!context.isReadOnly &&
              (["up", "down"] as const).map((act) => (
                <IconButton
                  key={act}
                  icon={`arrow-${act}`}
                  size="s"
                  label={act === "up" ? words.moveUp({ title }) : words.moveDown({ title })}
                  isDisabled={act === "up" ? index === 0 : isLast}
                  onPress={() => move(act === "up" ? index - 1 : index + 1)}
                  attributes={{ "data-act": act }}
                />
              ))}
            {removeButton}
          </div>
          <Fields schema={items} value={entry} path={[...path, index]} around={inside} />
        </>
      )}
    </Entries>
  );
}

/** A list of names with values, such as headers or parameters. */
export function Pairs(props: WidgetProps) {
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  return (
    <Entries
      of={props}
      class="app-form-pair"
      make={() => ({ id: newEntryId(), key: "", value: "" })}
      isWithoutEnter
      titleOf={(entry) => inEntry(entry, "key")}
    >
      {({ entry, index, removeButton }) => (
        <>
          {(["key", "value"] as const).map((key) => {
            const name = key === "key" ? words.name : words.value;
            return (
              <TextField
                key={key}
                name={`${name} ${index + 1}`}
                placeholder={name}
                value={inEntry(entry, key)}
                isReadOnly={context.isReadOnly}
                onInput={(text) => onSet([...props.path, index, key], text)}
              />
            );
          })}
          {removeButton}
        </>
      )}
    </Entries>
  );
}

/** A list of texts, one per line. */
export function Texts(props: WidgetProps) {
  const { context, onSet } = useFormRoot();
  return (
    <Entries of={props} class="app-form-row" make={() => ""} titleOf={textOf}>
      {({ entry, index, label, removeButton }) => (
        <>
          <TextField
            name={`${label} ${index + 1}`}
            value={textOf(entry)}
            isReadOnly={context.isReadOnly}
            onInput={(text) => onSet([...props.path, index], text)}
          />
          {removeButton}
        </>
      )}
    </Entries>
  );
}

type Entry = {
  readonly entry: unknown;
  readonly index: number;
  readonly title: string;
  readonly isLast: boolean;
  readonly label: string;
  readonly move: (to: number) => void;
  /** Absent if the form is read-only. */
  readonly removeButton: ComponentChildren;
};

type EntriesProps = {
  readonly of: WidgetProps;
  readonly class: string;
  /** Creates the initial value of a new entry. */
  readonly make: () => unknown;
  /** Whether Enter in an entry's first field does not add an entry. */
  readonly isWithoutEnter?: boolean;
  /** Returns the title of an entry. An entry without a title is named by its position. */
  readonly titleOf: (entry: unknown) => string;
  readonly children: (entry: Entry) => ComponentChildren;
};

/** The frame of a list, with the label, the help, all entries, and the button that adds an entry. */
function Entries({ of, class: className, make, isWithoutEnter = false, titleOf, children }: EntriesProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const { label, help, error } = useFieldProps(of);
  const list = listOf(of.value);
  const acts = useListActs(of, list);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <ol class="app-form-entries" ref={acts.element}>
        {list.map((entry, index) => {
          const title = titleOf(entry) || words.entry({ place: index + 1 });
          const removeButton = !context.isReadOnly && (
            <IconButton icon="x" size="s" label={words.remove({ title })} onPress={() => acts.remove(index, title)} />
          );
          const move = (to: number) => acts.move(index, to, title);
          return (
            <li
              key={keyOf(entry, index)}
              class={className}
              onKeyDown={(event) => acts.onKeyDown(event, index, title, isWithoutEnter ? undefined : make)}
            >
              {children({ entry, index, title, isLast: index === list.length - 1, label, move, removeButton })}
            </li>
          );
        })}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button
            label={words.add}
            icon="plus"
            size="s"
            attributes={{ "aria-label": words.addTo({ title: label }) }}
            onPress={() => acts.add(make())}
          />
        </div>
      )}
    </fieldset>
  );
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function inEntry(entry: unknown, key: string): string {
  return isObject(entry) ? textOf(entry[key]) : "";
}

function keyOf(entry: unknown, index: number): string {
  return isObject(entry) && typeof entry["id"] === "string" ? `${entry["id"]} ${index}` : String(index);
}

/** Returns the actions of a list, which also move the focus. */
export function useListActs({ set }: Pick<WidgetProps, "set">, list: readonly unknown[]) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const element = useRef<HTMLOListElement>(null);
  const focus = useRef<{ readonly index: number; readonly selector: string } | undefined>(undefined);
  useLayoutEffect(() => {
    if (!focus.current) return;
    const { index, selector } = focus.current;
    focus.current = undefined;
    const entries = element.current?.children;
    const target = entries?.item(Math.min(index, entries.length - 1)) ?? element.current?.nextElementSibling;
    const control = target?.querySelector<HTMLElement>(selector) ?? target?.querySelector<HTMLElement>(controls);
    control?.focus();
  });
  const move = (from: number, to: number, title: string, selector = `[data-act="${to < from ? "up" : "down"}"]`) => {
    if (to < 0 || to >= list.length) return;
    focus.current = { index: to, selector };
    set(withMoved(list, from, to));
    announce(words.movedTo({ title, place: to + 1, count: list.length }));
  };
  const add = (entry: unknown, at = list.length) => {
    focus.current = { index: at, selector: fields };
    set(list.toSpliced(at, 0, entry));
  };
  return {
    element,
    move,
    add,
    remove: (index: number, title: string) => {
      focus.current = { index: Math.max(0, index - 1), selector: controls };
      set(withoutEntry(list, index));
      announce(words.removed({ title }));
    },
    /**
     * Handles the keys of an entry. Enter in its first field adds an entry from `make` below it. The shortcuts of the
     * scope `entry` move it.
     */
    onKeyDown: (event: KeyboardEvent, index: number, title: string, make?: () => unknown) => {
      if (make && isLastWord(event) && !context.isReadOnly) {
        event.preventDefault();
        event.stopPropagation();
        add(make(), index + 1);
        return;
      }
      const selector = event.target instanceof HTMLButtonElement ? controls : fields;
      const to = (place: number) => move(index, place, title, selector);
      if (context.isReadOnly || !runCommand(event, "entry", { up: () => to(index - 1), down: () => to(index + 1) }))
        return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/**
 * Whether Enter was pressed in the first field of an entry. The field must be a one-line text field that is not empty.
 */
function isLastWord({ key, isComposing, defaultPrevented, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== "Enter" || isComposing || defaultPrevented || !(target instanceof HTMLInputElement)) return false;
  const isPlain = target.type === "text" && target.role !== "combobox" && target.value !== "";
  return isPlain && currentTarget instanceof Element && currentTarget.querySelector(fields) === target;
}

const fields = "input, select, textarea";
const controls = "input, select, textarea, button";
