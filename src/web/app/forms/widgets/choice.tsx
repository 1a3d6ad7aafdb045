import { Select, Switch } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import { wordsOf, wordTitle } from "../catalogue/field-words.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";

import { textOf } from "../values.ts";

/**
 * Selects one of several keywords, including the default. A stored keyword that is not in the list is kept until
 * another keyword is selected.
 */
export function Choice(props: WidgetProps) {
  const { schema, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const value = textOf(props.value);
  const known = wordsOf(schema).filter((word) => word === value || !schema.retired?.includes(word));
  const byDefault = textOf(schema.default);
  const none = byDefault === "" ? words.notChosen : words.byDefault({ text: wordTitle(schema, byDefault) });
  const isListed = known.includes(byDefault);
  const unknown = value !== "" && !known.includes(value) ? [{ value, label: words.unknownWord({ text: value }) }] : [];
  return (
    <Select
      {...useFieldProps(props)}
      value={value === "" && isListed ? byDefault : value}
      isDisabled={context.isReadOnly}
      options={[
        ...(isListed ? [] : [{ value: "", label: none }]),
        ...known.map((word) => ({ value: word, label: wordTitle(schema, word) })),
        ...unknown,
      ]}
      onChange={(word) => set(word === "" || word === byDefault ? undefined : word)}
    />
  );
}

export function SwitchField(props: WidgetProps) {
  const { context } = useFormRoot();
  const { label, help, aside } = useFieldProps(props);
  const isOn = (props.value ?? props.schema.default) === true;
  return (
    <div class="app-form-row">
      <Switch
        label={label}
        help={help}
        isChecked={isOn}
        isDisabled={context.isReadOnly}
        onChange={(isChecked) => props.set(isChecked)}
      />
      {aside}
    </div>
  );
}
