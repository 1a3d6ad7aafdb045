import { useLayoutEffect, useRef } from "preact/hooks";
import { runCommand } from "../../keys/keymap.ts";
import { announce, Button, IconButton, TextField } from "../../ui/index.ts";
import { formWords } from "../../words/forms.ts";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { entryTitle } from "../row.ts";
import { isObject, textOf, withMoved, withoutEntry } from "../values.ts";

/** A list of objects, each with its fields: added at the end, or below by Enter in an entry's first field; moved by buttons or with Alt and the arrow keys; removed. */
export function List(props: WidgetProps) {
  const { schema, path, around } = props;
  const { context, Fields } = useFormRoot();
  const words = useWords(formWords);
  const { label, help, error } = useFieldProps(props);
  const list = listOf(props.value);
  const items = schema.items ?? {};
  const inside = [...around, { schema, value: props.value }];
  const acts = useListActs(props, list);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <ol class="app-form-entries" ref={acts.element}>
        {list.map((entry, index) => {
          const title = entryTitle(items, entry, context) || words.entry(index + 1);
          return (
            <li
              key={keyOf(entry, index)}
              class="app-form-entry"
              onKeyDown={(event) => acts.onKeyDown(event, index, title, () => ({ id: newEntryId() }))}
            >
              <div class="app-form-entry-head">
                <span class="app-form-entry-title">{title}</span>
                {!context.isReadOnly && (
                  <>
                    <MoveButton
                      icon="arrow-up"
                      act="up"
                      label={words.moveUp(title)}
                      isDisabled={index === 0}
                      onPress={() => acts.move(index, index - 1, title)}
                    />
                    <MoveButton
                      icon="arrow-down"
                      act="down"
                      label={words.moveDown(title)}
                      isDisabled={index === list.length - 1}
                      onPress={() => acts.move(index, index + 1, title)}
                    />
                    <IconButton
                      icon="x"
                      size="s"
                      label={words.remove(title)}
                      onPress={() => acts.remove(index, title)}
                    />
                  </>
                )}
              </div>
              <Fields schema={items} value={entry} path={[...path, index]} around={inside} />
            </li>
          );
        })}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button
            icon="plus"
            size="s"
            attributes={{ "aria-label": words.addTo(label) }}
            onPress={() => acts.add({ id: newEntryId() })}
          >
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function MoveButton({
  icon,
  act,
  label,
  isDisabled,
  onPress,
}: {
  icon: string;
  act: string;
  label: string;
  isDisabled: boolean;
  onPress: () => void;
}) {
  return (
    <IconButton
      icon={icon}
      size="s"
      label={label}
      isDisabled={isDisabled}
      onPress={onPress}
      attributes={{ "data-act": act }}
    />
  );
}

/** Names with values: headers, parameters. */
export function Pairs(props: WidgetProps) {
  const { path } = props;
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const { label, help, error } = useFieldProps(props);
  const list = listOf(props.value);
  const acts = useListActs(props, list);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <ol class="app-form-entries" ref={acts.element}>
        {list.map((entry, index) => {
          const [name, value] = [inEntry(entry, "key"), inEntry(entry, "value")];
          const write = (key: string) => (text: string) => onSet([...path, index, key], text);
          return (
            <li
              key={keyOf(entry, index)}
              class="app-form-pair"
              onKeyDown={(event) => acts.onKeyDown(event, index, name || words.entry(index + 1))}
            >
              <TextField
                name={`${words.name} ${index + 1}`}
                placeholder={words.name}
                value={name}
                isReadOnly={context.isReadOnly}
                onInput={write("key")}
              />
              <TextField
                name={`${words.value} ${index + 1}`}
                placeholder={words.value}
                value={value}
                isReadOnly={context.isReadOnly}
                onInput={write("value")}
              />
              {!context.isReadOnly && (
                <IconButton
                  icon="x"
                  size="s"
                  label={words.remove(name || words.entry(index + 1))}
                  onPress={() => acts.remove(index, name || words.entry(index + 1))}
                />
              )}
            </li>
          );
        })}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button
            icon="plus"
            size="s"
            attributes={{ "aria-label": words.addTo(label) }}
            onPress={() => acts.add({ id: newEntryId(), key: "", value: "" })}
          >
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Several texts, one a line. */
export function Texts(props: WidgetProps) {
  const { path } = props;
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const { label, help, error } = useFieldProps(props);
  const list = listOf(props.value);
  const acts = useListActs(props, list);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <ol class="app-form-entries" ref={acts.element}>
        {list.map((entry, index) => {
          const title = textOf(entry) || words.entry(index + 1);
          return (
            <li key={index} class="app-form-row" onKeyDown={(event) => acts.onKeyDown(event, index, title, () => "")}>
              <TextField
                name={`${label} ${index + 1}`}
                value={textOf(entry)}
                isReadOnly={context.isReadOnly}
                onInput={(text) => onSet([...path, index], text)}
              />
              {!context.isReadOnly && (
                <IconButton icon="x" size="s" label={words.remove(title)} onPress={() => acts.remove(index, title)} />
              )}
            </li>
          );
        })}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button icon="plus" size="s" attributes={{ "aria-label": words.addTo(label) }} onPress={() => acts.add("")}>
            {words.add}
          </Button>
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

/** The actions of a list as a whole, and where the focus goes then. */
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
    announce(words.movedTo(title, to + 1, list.length));
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
      announce(words.removed(title));
    },
    /** Enter in an entry's first field adds one below, with the initial value of `make`. */
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

/** Enter in the field of one line that an entry begins with, once something is in it. */
function isLastWord({ key, isComposing, defaultPrevented, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== "Enter" || isComposing || defaultPrevented || !(target instanceof HTMLInputElement)) return false;
  const isPlain = target.type === "text" && target.role !== "combobox" && target.value !== "";
  return isPlain && currentTarget instanceof Element && currentTarget.querySelector(fields) === target;
}

const fields = "input, select, textarea";
const controls = "input, select, textarea, button";
