import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isOfType } from "../values.ts";
import { jsonText } from "./json.tsx";

export function Section(props: WidgetProps) {
  const { schema, value, path, around } = props;
  const { Fields } = useFormRoot();
  const { label, help, error } = useFieldProps(props);
  return (
    <fieldset class="app-form-section">
      <legend>{label}</legend>
      {help !== undefined && <p class="app-field-help">{help}</p>}
      {error !== undefined && <p class="app-field-error">{error}</p>}
      <div class="app-form-fields">
        <Fields schema={schema} value={value} path={path} around={around} />
      </div>
    </fieldset>
  );
}

/** A value whose schema is a union. Uses the schema that matches the stored value, or the first schema. */
export function Either({ schema, value, path, around }: WidgetProps) {
  const { Field } = useFormRoot();
  const { anyOf = [], ...words } = schema;
  const choice = anyOf.find((one) => value !== undefined && isOfType(one, value)) ?? anyOf[0];
  if (!choice) return null;
  const isText = choice.type === "string";
  // The label and help come from the field; the selected schema only determines the widget.
  return (
    <Field
      schema={{ ...choice, ...withoutWidget(words), ...(isText && { widget: "longText" as const }) }}
      value={value}
      path={path}
      around={around}
    />
  );
}

function withoutWidget<Words extends { readonly widget?: unknown }>({
  widget: _,
  ...words
}: Words): Omit<Words, "widget"> {
  return words;
}

/** Shows a value that cannot be edited. */
export function Kept(props: WidgetProps) {
  const { label } = useFieldProps(props);
  if (props.value === undefined) return null;
  return (
    <div class="app-field">
      <span class="app-field-label">{label}</span>
      <span class="app-form-kept">{typeof props.value === "string" ? props.value : jsonText(props.value)}</span>
    </div>
  );
}
