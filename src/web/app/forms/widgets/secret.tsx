import { TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { emptied } from "./text.tsx";

/**
 * A field for a secret. The stored secret is kept until a new one is typed. Only its last characters, from `keptEnds`,
 * are shown.
 */
export function Secret(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const { keptEnds } = props.schema;
  return (
    <TextField
      {...useFieldProps(props)}
      aside={undefined}
      type="password"
      value={textOf(props.value)}
      placeholder={keptEnds === undefined ? undefined : words.keptSecret({ ends: keptEnds })}
      isReadOnly={context.isReadOnly}
      onInput={(text) => props.set(emptied(text))}
      attributes={{ autocomplete: "new-password", spellcheck: false }}
    />
  );
}
