import { Button, Combobox, IconButton, Select, TextField } from "../../ui/index.ts";
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

/** A list of comparisons, one per line, with the operator between them. */
export function Condition(props: WidgetProps) {
  const { label, help, error } = useFieldProps(props);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <Comparisons {...props} />
    </fieldset>
  );
}

/** The comparisons of a condition, which read as a sentence. */
export function Comparisons({ schema, value, path }: Pick<WidgetProps, "schema" | "value" | "path">) {
  const { context, onSet } = useFormRoot();
  const words = useWords(formWords);
  const stored = isObject(value) ? value : {};
  const list = listOf(stored["comparisons"]);
  const at = [...path, "comparisons"];
  const acts = useListActs({ set: (next) => onSet(at, next) }, list);
  const { variableId, comparisonOperator: operator = {} } = schemaAt(schema, ["comparisons", 0])?.properties ?? {};
  const { AND = "and", OR = "or" } = schema.joiners ?? {};
  return (
    <>
      <ol class="app-comparisons" ref={acts.element}>
        {list.map((entry, index) => {
          const title = words.comparison({ place: index + 1 });
          return (
            <li
              key={isObject(entry) ? `${textOf(entry["id"])} ${index}` : index}
              onKeyDown={(event) => acts.onKeyDown(event, index, title)}
            >
              <Comparison
                entry={isObject(entry) ? entry : {}}
                path={[...at, index]}
                operatorField={operator}
                isOfMessage={variableId === undefined}
                onRemove={() => acts.remove(index, title)}
              />
              {index < list.length - 1 && (
                <Select
                  name={words.whichHold}
                  value={stored["logicalOperator"] === "OR" ? "OR" : "AND"}
                  isDisabled={context.isReadOnly}
                  options={[
                    { value: "AND", label: AND },
                    { value: "OR", label: OR },
                  ]}
                  onChange={(joiner) => onSet([...path, "logicalOperator"], joiner)}
                />
              )}
            </li>
          );
        })}
      </ol>
      {!context.isReadOnly && (
        <div>
          <Button label={words.addComparison} icon="plus" size="s" onPress={() => acts.add(newComparison())} />
        </div>
      )}
    </>
  );
}

export function newComparison(): object {
  return { id: newEntryId(), comparisonOperator: "Equal to" };
}

/** The operators without a value to compare with. */
const withoutValue = new Set(["Is set", "Is empty"]);

type ComparisonProps = {
  readonly entry: { readonly [key: string]: unknown };
  readonly path: Path;
  readonly operatorField: FieldSchema;
  /** Whether the visitor's first message is compared instead of a variable. */
  readonly isOfMessage: boolean;
  readonly onRemove: () => void;
};

function Comparison({ entry, path, operatorField, isOfMessage, onRemove }: ComparisonProps) {
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
    <div class="app-comparison">
      {isOfMessage ? (
        <span>{words.firstMessage}</span>
      ) : (
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
      )}
      <Select
        name={`${words.operator} ${place}`}
        value={operator}
        isDisabled={context.isReadOnly}
        options={[
          ...(operator === "" ? [{ value: "", label: words.notChosen }] : []),
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
      {!context.isReadOnly && (
        <IconButton icon="x" size="s" label={words.remove({ title: words.comparison({ place }) })} onPress={onRemove} />
      )}
    </div>
  );
}
