import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, Combobox, IconButton, Tabs } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isObject, isOfType, textOf, withMoved } from "../values.ts";
import { Comparisons, newComparison } from "../widgets/condition.tsx";
import { listOf, useListActs } from "../widgets/list.tsx";
import { keysOf } from "./row-keys.ts";
import "./branches.css";

/** The branches of a condition, with a tab for each branch. A branch reads as a sentence and shows its target. */
export function Branches(props: WidgetProps) {
  const { schema, value, path, around } = props;
  const { context, Field, Fields } = useFormRoot();
  const words = useWords(formWords);
  const { label, error } = useFieldProps(props);
  const list = listOf(value);
  const keys = keysOf(list);
  const [selected, select] = useState(keys[0]);
  const lastShown = useRef(0);
  const acts = useListActs(props, list);
  // Other people may insert and move branches. If the selected branch is removed, the branch at the same position is
  // selected.
  const found = selected === undefined ? -1 : keys.indexOf(selected);
  const shown = found >= 0 ? found : Math.max(0, Math.min(lastShown.current, list.length - 1));
  lastShown.current = shown;
  useLayoutEffect(() => select(keys[shown]), [keys[shown]]);
  const title = (index: number) => words.branch({ place: index + 1 });
  const { content: condition = {}, id: _, outgoingEdgeId: __, ...rest } = schema.items?.properties ?? {};
  const others = Object.keys(rest);
  const add = (): void => {
    const id = newEntryId();
    select(id);
    acts.add({ id, content: { comparisons: [newComparison()] } });
  };
  const move = (to: number): void => {
    // A branch without an id is identified by its position, so its key changes with the move.
    select(keysOf(withMoved(list, shown, to))[to]);
    acts.move(shown, to, title(shown), "select");
  };
  const panels = list.map((entry, index) => {
    const at = [...path, index];
    const inside = [...around, { schema, value }];
    const content = isObject(entry) ? (entry["content"] ?? undefined) : undefined;
    const leads = isObject(entry) && textOf(entry["id"]) !== "" ? context.itemLeads : undefined;
    return (
      <li key={keys[index]} class="app-branch" hidden={index !== shown}>
        {!isObject(entry) ? (
          <Field schema={schema.items ?? {}} value={entry} path={at} around={inside} />
        ) : isOfType(condition, content) ? (
          <Comparisons schema={condition} value={content} path={[...at, "content"]} />
        ) : (
          <Field schema={condition} value={content} path={[...at, "content"]} around={inside} />
        )}
        {isObject(entry) && (
          <>
            {context.below?.([...at, "content"], { isWhole: true })}
            <Fields schema={schema.items ?? {}} value={entry} path={at} around={inside} only={others} hasUnknown />
          </>
        )}
        {leads && isObject(entry) && (
          <Combobox
            label={words.leadsTo}
            value={leads.targetOf(textOf(entry["outgoingEdgeId"]))?.groupId}
            options={context.groups().map((group) => ({ value: group.id, label: group.title || words.untitled }))}
            placeholder={words.leadsNowhere}
            noneLabel={words.none}
            isReadOnly={context.isReadOnly}
            isOptional
            onChange={(groupId) => leads.lead(textOf(entry["id"]), groupId)}
          />
        )}
      </li>
    );
  });
  return (
    <fieldset class={`app-form-section app-branches ${list.length === 1 ? "is-single" : ""}`}>
      <legend class="visually-hidden">{label}</legend>
      {error !== undefined && <p class="app-field-error">{error}</p>}
      {list.length > 0 ? (
        <Tabs
          label={label}
          tabs={list.map((_, index) => ({ id: String(index), label: title(index) }))}
          selected={String(shown)}
          onSelect={(id) => select(keys[Number(id)])}
        >
          <ol ref={acts.element}>{panels}</ol>
        </Tabs>
      ) : (
        <ol ref={acts.element}>{panels}</ol>
      )}
      {!context.isReadOnly && (
        <div class="app-branch-acts">
          <Button label={words.addBranch} icon="plus" size="s" attributes={{ "data-act": "add" }} onPress={add} />
          {list.length > 0 && (
            <>
              {(["left", "right"] as const).map((side) => (
                <IconButton
                  key={side}
                  size="s"
                  icon={`arrow-${side}`}
                  label={
                    side === "left" ? words.moveUp({ title: title(shown) }) : words.moveDown({ title: title(shown) })
                  }
                  isDisabled={side === "left" ? shown === 0 : shown === list.length - 1}
                  onPress={() => move(side === "left" ? shown - 1 : shown + 1)}
                />
              ))}
              <IconButton
                size="s"
                icon="trash-2"
                label={words.remove({ title: title(shown) })}
                onPress={() => acts.remove(shown, title(shown))}
              />
            </>
          )}
        </div>
      )}
    </fieldset>
  );
}
