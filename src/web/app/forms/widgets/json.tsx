/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { TextArea } from "../../ui/index.ts";
import { formWords } from "../../words/forms.ts";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { isSame } from "../values.ts";

/** Any value as JSON, checked while it is typed: what is none stays in the field alone. */
export function Json(props: WidgetProps) {
  const { value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : readJson(typed);
  const error = read && "error" in read ? words.notJson(read.error) : undefined;
  const isTyped =
    typed !== undefined && (error !== undefined || (read && "value" in read && isSame(read.value, value)));
  return (
    <TextArea
      {...useFieldProps(props, error)}
      value={isTyped ? typed : jsonText(value)}
      isMono
      isReadOnly={context.isReadOnly}
      attributes={{ spellcheck: false, autocomplete: "off", dir: "ltr" }}
      onInput={(text) => {
        setTyped(text);
        const next = readJson(text);
        if ("value" in next && !isSame(next.value, value)) set(next.value);
      }}
      onCommit={() => error === undefined && setTyped(undefined)}
    />
  );
}

type Read = { readonly value: unknown } | { readonly error: string };

/** Nothing is an absent value. */
export function readJson(text: string): Read {
  if (text.trim() === "") return { value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

export function jsonText(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
