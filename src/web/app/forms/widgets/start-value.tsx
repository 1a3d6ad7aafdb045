import { IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { Texts } from "./list.tsx";
import { Written } from "./text.tsx";

/** The initial value of a variable: a text, or a list of texts. */
export function StartValue(props: WidgetProps) {
  const { value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const isList = Array.isArray(value);
  const toggle = !context.isReadOnly && (
    <IconButton
      icon={isList ? "text" : "list"}
      size="s"
      label={isList ? words.asOneText : words.asList}
      onPress={() => set(isList ? value.map(textOf).join("\n") : textOf(value).split("\n"))}
    />
  );
  if (!isList) return <Written {...props} kind="lines" aside={toggle} />;
  return (
    <div class="app-form-row">
      <Texts {...props} />
      {toggle}
    </div>
  );
}
