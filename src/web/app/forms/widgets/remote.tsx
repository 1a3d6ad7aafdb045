import { Combobox, IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { Text } from "./text.tsx";

/** Selects a value of an external service by its name. Any other text, such as a variable, can be typed. */
export function Remote(props: WidgetProps) {
  const { context } = useFormRoot();
  return context.remoteOptions ? <Asked {...props} /> : <Text {...props} />;
}

function Asked(props: WidgetProps) {
  const { schema, path, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const field = path
    .filter((part) => typeof part === "string")
    .slice(1)
    .join(".");
  const asked = context.remoteOptions?.(field, schema.dependsOn ?? []);
  const { found, isBusy = false } = asked ?? {};
  const title = schema.title ?? String(path.at(-1) ?? "");
  const value = textOf(props.value);
  const variables = context.variables.value.map(({ name }) => ({
    value: `{{${name}}}`,
    label: words.variableFor({ name }),
    icon: "braces",
  }));
  const aside = asked && (
    <IconButton
      icon="refresh-cw"
      size="s"
      label={isBusy ? words.asking({ title }) : words.askAgain({ title })}
      onPress={() => asked.refresh()}
    />
  );
  return (
    <Combobox
      {...useFieldProps(props, found?.problem, aside)}
      value={value === "" ? undefined : value}
      options={[...(found?.options ?? []).map((one) => ({ ...one, detail: detailOf(one) })), ...variables]}
      noneLabel={isBusy ? words.asking({ title }) : words.none}
      isReadOnly={context.isReadOnly}
      isOptional
      keepsTyped
      onCreate={(text) => text}
      createLabel={(text) => words.useTyped({ text })}
      onChange={set}
    />
  );
}

/** Returns the stored value if it differs from the name; otherwise undefined. */
function detailOf({ value, label }: { readonly value: string; readonly label: string }): string | undefined {
  return value === label ? undefined : value;
}
