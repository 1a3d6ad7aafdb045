import { useRef, useState } from "preact/hooks";
import { Field, type FieldProps, TextArea } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useCodeEditor } from "../fields/use-code-editor.ts";
import { useFormRoot } from "../form-root.ts";
import { isSame } from "../values.ts";

/** Edits a value as JSON and checks it during typing. Invalid JSON stays in the field and does not change the value. */
export function Json(props: WidgetProps) {
  const { value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : readJson(typed);
  const error = read && "error" in read ? words.notJson({ why: read.error }) : undefined;
  const isTyped =
    typed !== undefined && (error !== undefined || (read && "value" in read && isSame(read.value, value)));
  return (
    <JsonBox
      {...useFieldProps(props, error)}
      description={props.schema.help}
      value={isTyped ? typed : jsonText(value)}
      isReadOnly={context.isReadOnly}
      onInput={(text) => {
        setTyped(text);
        const next = readJson(text);
        if ("value" in next && !isSame(next.value, value)) set(next.value);
      }}
      onCommit={() => error === undefined && setTyped(undefined)}
    />
  );
}

export type JsonBoxProps = Pick<FieldProps, "help" | "error" | "aside"> & {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly rows?: number;
  readonly onInput: (text: string) => void;
  /** Called when the field loses the focus. */
  readonly onCommit: () => void;
};

/** A field for JSON. Shows a plain text field until the code editor is loaded. */
export function JsonBox({ description, value, isReadOnly, rows = 3, onInput, onCommit, ...field }: JsonBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const loaded = useCodeEditor(box, "focus");
  if (!loaded)
    return (
      <div ref={box}>
        <TextArea
          {...field}
          value={value}
          isMono
          rows={rows}
          isReadOnly={isReadOnly}
          attributes={{ spellcheck: false, autocomplete: "off", dir: "ltr" }}
          onInput={onInput}
          onCommit={onCommit}
        />
      </div>
    );
  const { Editor, takesOver } = loaded;
  return (
    <div ref={box}>
      <Field {...field}>
        <Editor
          label={field.label}
          description={field.error ?? description}
          isInvalid={field.error !== undefined}
          value={value}
          onChange={onInput}
          onLeave={onCommit}
          language="json"
          names={none}
          makeVariable={() => {}}
          isReadOnly={isReadOnly}
          takesOver={takesOver}
        />
      </Field>
    </div>
  );
}

const none: readonly string[] = [];

type Read = { readonly value: unknown } | { readonly error: string };

/** Parses JSON. An empty text means that the value is absent. */
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
