import { Combobox } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isObject, textOf } from "../values.ts";
import { Text } from "../widgets/text.tsx";

/** The model for the selected credentials. The provider's models are offered, and any other name can be typed. */
export function Model(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const field = useFieldProps(props);
  const holder = props.around.at(-1)?.value;
  const credentialsId = isObject(holder) ? textOf(holder["credentialsId"]) : "";
  if (!context.models) return <Text {...props} />;
  const account = credentialsId === "" ? undefined : context.models(credentialsId);
  const models = account ? account.names : [];
  const value = textOf(props.value);
  const names = value === "" || models?.includes(value) ? (models ?? []) : [value, ...(models ?? [])];
  const variables = context.variables.value.map(({ name }) => ({
    value: `{{${name}}}`,
    label: words.variableFor({ name }),
    icon: "braces",
  }));
  return (
    <div onFocusIn={() => context.isReadOnly || account?.ask()}>
      <Combobox
        {...field}
        value={value === "" ? undefined : value}
        options={[...names.map((name) => ({ value: name, label: name })), ...variables]}
        noneLabel={models ? words.none : words.asking({ title: field.label })}
        isReadOnly={context.isReadOnly}
        isOptional
        keepsTyped
        onCreate={(text) => text}
        createLabel={(text) => words.useTyped({ text })}
        onChange={props.set}
      />
    </div>
  );
}
