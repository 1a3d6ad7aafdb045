import { useState } from "preact/hooks";
import { IconButton, TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { beside } from "./pickers.tsx";
import { emptied, Written } from "./text.tsx";

/** A date, with a time if the input requires one, or a text with a variable. */
export function Moment(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const value = textOf(props.value);
  const hasTime = beside(props, "hasTime") === true;
  const pattern = hasTime ? /^\d{4}-\d\d-\d\dT\d\d:\d\d$/ : /^\d{4}-\d\d-\d\d$/;
  const [isText, setText] = useState(value !== "" && !pattern.test(value));
  const mayPick = value === "" || pattern.test(value);
  const asText = isText || !mayPick;
  const toggle = (
    <IconButton
      icon={asText ? "calendar" : "braces"}
      size="s"
      label={asText ? words.asDate : words.asText}
      isDisabled={asText && !mayPick}
      onPress={() => setText(!asText)}
    />
  );
  const field = useFieldProps(props, undefined, toggle);
  if (asText) return <Written {...props} kind="line" aside={toggle} />;
  return (
    <TextField
      {...field}
      value={value}
      isReadOnly={context.isReadOnly}
      attributes={{ type: hasTime ? "datetime-local" : "date" }}
      onInput={(text) => props.set(emptied(text))}
    />
  );
}
