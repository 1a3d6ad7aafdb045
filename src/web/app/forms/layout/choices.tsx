import { useMemo, useRef, useState } from "preact/hooks";
import { announce, Button, Combobox, FieldError, IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { FieldProps, WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { type Around, isObject, isOfType, textOf } from "../values.ts";
import { listOf, useListActs } from "../widgets/list.tsx";
import { Written } from "../widgets/text.tsx";
import { pastedLines } from "./pasted-lines.ts";
import { useRowDrag } from "./row-drag.ts";
import { keysOf } from "./row-keys.ts";
import "./choices.css";

/** The maximum number of choices after a paste. A paste that would exceed it is refused. */
const mostChoices = 1_000;

/** The choices of a block, one per line, each with its text, its target, and less common fields. */
export function Choices(props: WidgetProps) {
  const { schema, value, path, around, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const { label, error } = useFieldProps(props);
  const list = listOf(value);
  const keys = keysOf(list);
  const acts = useListActs(props, list);
  const [open, setOpen] = useState<ReadonlySet<unknown>>(new Set());
  const [refusal, setRefusal] = useState<string>();
  const nameOf = (index: number) => labelOf(list[index]) || words.choice({ place: index + 1 });
  const drag = useRowDrag(acts.element, keys, (from, to) => acts.move(from, to, nameOf(from), "button"));

  const paste = (event: ClipboardEvent, index: number): void => {
    const lines = pastedLines(event.clipboardData?.getData("text/plain") ?? "");
    const [first = "", ...rest] = lines;
    const field = event.target;
    if (lines.length < 2 || context.isReadOnly || !(field instanceof HTMLInputElement)) return;
    // The expanded part below the label has its own fields, which handle the paste themselves.
    if (!field.closest(".app-choice")) return;
    event.preventDefault();
    const isTooMuch = list.length + rest.length > mostChoices;
    setRefusal(isTooMuch ? words.tooManyChoices({ most: mostChoices }) : undefined);
    if (isTooMuch) return;
    const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    const content = `${field.value.slice(0, from)}${first}${field.value.slice(to)}`;
    const entry = list[index];
    const made = rest.map((line) => ({ id: newEntryId(), content: line }));
    set(list.toSpliced(index, 1, { ...(isObject(entry) && entry), content }, ...made));
    announce(words.choicesAdded({ count: rest.length }));
  };
  // Unchanged rows are not rendered again, so they call the current functions through this ref.
  const latest = useRef<RowActs>(undefined);
  latest.current = {
    remove: (index) => acts.remove(index, nameOf(index)),
    toggle: (index) => setOpen((now) => toggled(now, keys[index])),
    grab: (event, index) => drag.grab(event, keys[index]),
  };
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <FieldError error={refusal} />
      <ol class="app-choice-list" ref={acts.element}>
        {list.map((entry, index) => (
          <li
            key={keys[index]}
            class={drag.classOf(index)}
            onKeyDown={(event) => acts.onKeyDown(event, index, nameOf(index), () => ({ id: newEntryId() }))}
            onPaste={(event) => paste(event, index)}
          >
            <Kept
              schema={schema.items ?? {}}
              {...{ entry, index, latest }}
              path={[...path, index]}
              name={nameOf(index)}
              isOpen={open.has(keys[index])}
              around={[...around, { schema, value }]}
            />
          </li>
        ))}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button
            label={words.addChoice}
            icon="plus"
            size="s"
            attributes={{ "data-act": "add" }}
            isDisabled={list.length >= mostChoices}
            onPress={() => acts.add({ id: newEntryId() })}
          />
        </div>
      )}
    </fieldset>
  );
}

type RowActs = {
  readonly remove: (index: number) => void;
  readonly toggle: (index: number) => void;
  readonly grab: (event: PointerEvent, index: number) => void;
};

type RowProps = Pick<FieldProps, "schema" | "path"> & {
  readonly entry: unknown;
  readonly index: number;
  readonly name: string;
  readonly isOpen: boolean;
  readonly latest: { readonly current: RowActs | undefined };
  readonly around: readonly Around[];
};

/** Renders a row again only if a part of it changes, because there may be hundreds of rows. */
function Kept(props: RowProps) {
  const { entry, index, name, isOpen, schema } = props;
  const root = useFormRoot();
  return useMemo(() => <Row {...props} />, [root, schema, entry, index, name, isOpen, isOpen && props.around]);
}

function Row({ schema, entry, path, index, name, isOpen, latest, around }: RowProps) {
  const { context, onSet, Field, Fields } = useFormRoot();
  const words = useWords(formWords);
  const { content: said = {}, id: _, outgoingEdgeId: __, ...rest } = schema.properties ?? {};
  if (!isObject(entry)) return <Field schema={schema} value={entry} path={path} around={around} />;
  const content = entry["content"] ?? undefined;
  const at = [...path, "content"];
  const labelled = { ...said, title: words.choiceLabel({ place: index + 1 }) };
  const leads = context.itemLeads;
  const id = textOf(entry["id"]);
  const target = leads?.targetOf(textOf(entry["outgoingEdgeId"]));
  return (
    <>
      <div class="app-choice">
        {!context.isReadOnly && (
          <button
            type="button"
            class="app-choice-grip"
            aria-label={words.moveEntry({ title: name })}
            title={words.moveHint}
            onPointerDown={(event) => latest.current?.grab(event, index)}
          />
        )}
        {isOfType(said, content) ? (
          <Written
            schema={labelled}
            value={content}
            path={at}
            around={[...around, { schema, value: entry }]}
            set={(next, over) => onSet(at, next, over)}
            kind="line"
            isBare
            hint={words.choice({ place: index + 1 })}
          />
        ) : (
          <Field schema={labelled} value={content} path={at} around={around} />
        )}
        {target && (
          <button type="button" class="app-choice-target" onClick={() => latest.current?.toggle(index)}>
            <span aria-hidden="true">→ </span>
            <span class="visually-hidden">{words.leadsTo} </span>
            {target.title || words.untitled}
          </button>
        )}
        <IconButton
          icon="ellipsis"
          size="s"
          label={words.moreOf({ title: name })}
          onPress={() => latest.current?.toggle(index)}
          attributes={{ "aria-expanded": isOpen, "data-act": "unfold" }}
        />
        {!context.isReadOnly && (
          <IconButton
            icon="x"
            size="s"
            label={words.remove({ title: name })}
            onPress={() => latest.current?.remove(index)}
          />
        )}
      </div>
      {context.below?.(at, { isWhole: true })}
      {isOpen && (
        <div class="app-form-fields app-choice-more">
          <Fields schema={schema} value={entry} path={path} around={around} only={Object.keys(rest)} hasUnknown />
          {leads && id !== "" && (
            <Combobox
              label={words.leadsTo}
              value={target?.groupId}
              options={context.groups().map((group) => ({ value: group.id, label: group.title || words.untitled }))}
              placeholder={words.leadsNowhere}
              noneLabel={words.none}
              isReadOnly={context.isReadOnly}
              isOptional
              onChange={(groupId) => leads.lead(id, groupId)}
            />
          )}
        </div>
      )}
    </>
  );
}

function labelOf(entry: unknown): string {
  return isObject(entry) ? textOf(entry["content"]) : textOf(entry);
}

function toggled(set: ReadonlySet<unknown>, key: unknown): ReadonlySet<unknown> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}
