import { useRef, useState } from "preact/hooks";
import { Field, IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useCodeEditor } from "../fields/use-code-editor.ts";
import { useFormRoot, useSharedText } from "../form-root.ts";
import { textOf } from "../values.ts";
import { emptied, Written } from "./text.tsx";

/** A field for code with variables. Shows a plain text field until the code editor is loaded. */
export function Code(props: WidgetProps) {
  const { schema, path, value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const box = useRef<HTMLDivElement>(null);
  const insert = useRef<() => void>(undefined);
  const loaded = useCodeEditor(box, "view");
  const shared = useSharedText(path);
  const button = !context.isReadOnly && (
    <IconButton icon="braces" size="s" label={words.insertVariable} onPress={() => insert.current?.()} />
  );
  const stored = (text: string) => (schema.keepsEmpty ? text : emptied(text));
  const [problem, setProblem] = useState<number>();
  const field = useFieldProps(props, problem === undefined ? undefined : words.badLine({ line: problem }), button);
  if (!loaded)
    return (
      <div ref={box}>
        <Written {...props} kind="code" />
      </div>
    );
  const { Editor, takesOver } = loaded;
  return (
    <div ref={box}>
      <Field {...field}>
        <Editor
          label={field.label}
          description={field.error ?? schema.help}
          isInvalid={field.error !== undefined}
          value={textOf(value)}
          onChange={(text, before) => set(stored(text), { text: stored(before) })}
          onProblem={setProblem}
          language={schema.language ?? "script"}
          offers={path.at(-1) === "bodyPath" ? "mapping" : "script"}
          names={context.variables.value.map(({ name }) => name)}
          makeVariable={context.makeVariable}
          isReadOnly={context.isReadOnly}
          placeholder={textOf(schema.default)}
          takesOver={takesOver}
          insertRef={insert}
          shared={shared}
        />
      </Field>
    </div>
  );
}
