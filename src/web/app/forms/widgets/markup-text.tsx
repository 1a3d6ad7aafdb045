import { useState } from "preact/hooks";
import { markupWithText, textOfMarkup } from "../../../conversation/markup-text.ts";
import { TextArea } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { emptied } from "./text.tsx";
import { VariableField } from "./variable-field.tsx";

/**
 * Shows HTML as the text that visitors read. The tags around the text are preserved and can be edited under "As HTML".
 */
export function MarkupText(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const html = textOf(props.value);
  // Typed text may end with whitespace or a line break that the HTML does not represent.
  const [typed, setTyped] = useState({ html, text: textOfMarkup(html) });
  const text = typed.html === html ? typed.text : textOfMarkup(html);
  const write = (next: string): void => {
    const made = next.trim() === "" ? "" : markupWithText(html, next);
    setTyped({ html: made, text: next });
    props.set(emptied(made));
  };
  return (
    <>
      <VariableField
        {...props}
        kind="lines"
        text={text}
        onText={write}
        placeholder={textOfMarkup(textOf(props.schema.default))}
      />
      {html !== "" && (
        <details class="app-form-more">
          <summary>{words.more}</summary>
          <TextArea
            label={words.asHtml({ title: props.schema.title ?? "" })}
            value={html}
            isReadOnly={context.isReadOnly}
            onInput={(raw) => props.set(emptied(raw))}
          />
        </details>
      )}
    </>
  );
}
