import { Button, Combobox, IconButton, Segments, Select, TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import { wordsOf, wordTitle } from "../catalogue/field-words.ts";
import type { WidgetProps } from "../contract.ts";
import { newEntryId } from "../fields/entry-ids.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import type { FieldSchema } from "../schema.ts";
import { isObject, type Path, schemaAt, textOf } from "../values.ts";
import { listOf, useListActs } from "./list.tsx";

/** Comparisons, and whether all of them must hold. */
export function Condition(props: WidgetProps) {
  const { schema, value, path } = props;
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const { label, help, error } = useFieldProps(props);
  const stored = isObject(value) ? value : {};
  const list = listOf(stored["comparisons"]);
  const at = [...path, "comparisons"];
  const acts = useListActs({ set: (next) => onSet(at, next) }, list);
  const operator = schemaAt(schema, ["comparisons", 0, "comparisonOperator"]) ?? {};
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      {list.length > 1 && (
        <Segments
          label={words.whichHold}
          value={stored["logicalOperator"] === "OR" ? "OR" : "AND"}
          options={[
            { value: "AND", label: words.allHold },
            { value: "OR", label: words.oneHolds },
          ]}
          onChange={(operator) => !context.isReadOnly && onSet([...path, "logicalOperator"], operator)}
        />
      )}
      <ol class="app-form-entries" ref={acts.element}>
        {list.map((entry, index) => (
          <li
            key={isObject(entry) ? `${textOf(entry["id"])} ${index}` : index}
            class="app-form-entry"
            onKeyDown={(event) => acts.onKeyDown(event, index, words.entry({ place: index + 1 }))}
          >
            <Comparison
              entry={isObject(entry) ? entry : {}}
              path={[...at, index]}
              operatorField={operator}
              onRemove={() => acts.remove(index, words.entry({ place: index + 1 }))}
            />
          </li>
        ))}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button label={words.addComparison} icon="plus" size="s" onPress={() => acts.add({ id: newEntryId() })} />
        </div>
      )}
    </fieldset>
  );
}

/** Operators that need no value to compare with. */
const withoutValue = new Set(["Is set", "Is empty"]);

type ComparisonProps = {
  readonly entry: { readonly [key: string]: unknown };
  readonly path: Path;
  readonly operatorField: FieldSchema;
  readonly onRemove: () => void;
};

function Comparison({ entry, path, operatorField, onRemove }: ComparisonProps) {
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const variableId = textOf(entry["variableId"]);
  const operator = textOf(entry["comparisonOperator"]);
  const place = Number(path.at(-1)) + 1;
  const set = (key: string) => (value: string | undefined) => onSet([...path, key], value === "" ? undefined : value);
  const operators = wordsOf(operatorField);
  const unknown =
    operator !== "" && !operators.includes(operator)
      ? [{ value: operator, label: words.unknownWord({ text: operator }) }]
      : [];
  return (
    <>
      <div class="app-form-row">
        <Combobox
          name={`${words.variable} ${place}`}
          value={variableId === "" ? undefined : variableId}
          placeholder={words.variable}
          options={context.variables.value.map(({ id, name }) => ({ value: id, label: name }))}
          noneLabel={words.noVariables}
          isReadOnly={context.isReadOnly}
          isOptional
          onCreate={(name) => context.makeVariable(name)}
          createLabel={(name) => words.makeVariable({ name })}
          onChange={set("variableId")}
        />
        {!context.isReadOnly && (
          <IconButton icon="x" size="s" label={words.remove({ title: words.entry({ place }) })} onPress={onRemove} />
        )}
      </div>
      <Select
        name={`${words.comparison} ${place}`}
        value={operator}
        isDisabled={context.isReadOnly}
        options={[
          { value: "", label: words.notChosen },
          ...operators.map((word) => ({ value: word, label: wordTitle(operatorField, word) })),
          ...unknown,
        ]}
        onChange={set("comparisonOperator")}
      />
      {!withoutValue.has(operator) && (
        <TextField
          name={`${words.value} ${place}`}
          placeholder={words.value}
          value={textOf(entry["value"])}
          isReadOnly={context.isReadOnly}
          onInput={(text) => onSet([...path, "value"], text)}
        />
      )}
    </>
  );
}
