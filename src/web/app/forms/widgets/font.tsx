import { Select, TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isObject, textOf } from "../values.ts";
import { emptied } from "./text.tsx";

/** A font: a Google Fonts family, or a custom font with its own CSS. */
export function Font(props: WidgetProps) {
  const { schema, value, path, around, set } = props;
  const { context, Fields } = useFormRoot();
  const words = useWords(formWords);
  const field = useFieldProps(props);
  const whole = schema.anyOf?.find(({ properties }) => properties);
  if (isObject(value) && whole) {
    return (
      <fieldset class="app-form-section">
        <legend>{field.label}</legend>
        <div class="app-form-fields">
          <Fields schema={whole} value={value} path={path} around={around} />
        </div>
      </fieldset>
    );
  }
  return (
    <div class="app-form-fields">
      <TextField
        {...field}
        value={textOf(value)}
        isReadOnly={context.isReadOnly}
        onInput={(text) => set(emptied(text))}
      />
      <Select
        label={words.source}
        value="Google"
        isDisabled={context.isReadOnly}
        options={[
          { value: "Google", label: words.google },
          { value: "Custom", label: words.customFont },
        ]}
        onChange={(type) => type === "Custom" && set({ type, ...(textOf(value) !== "" && { family: textOf(value) }) })}
      />
    </div>
  );
}
