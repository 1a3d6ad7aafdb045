import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RichTextProps } from "../../text/rich-text.tsx";
import { Field, Skeleton, useField } from "../../ui/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot, useSharedText } from "../form-root.ts";

/** A rich text field. Its editor is loaded with the first rich text field. */
export function RichText(props: WidgetProps) {
  const field = useFieldProps(props);
  return (
    <Field {...field}>
      <Loaded {...props} label={field.label} />
    </Field>
  );
}

let known: ComponentType<RichTextProps> | undefined;

function Loaded({ value, path, set, label }: WidgetProps & { readonly label: string }) {
  const { context } = useFormRoot();
  const { id, "aria-describedby": describedBy } = useField();
  const shared = useSharedText(path);
  const [Editor, setEditor] = useState<ComponentType<RichTextProps> | undefined>(() => known);
  useEffect(() => {
    if (Editor) return;
    let isThere = true;
    void import("../../text/rich-text.tsx").then(({ RichText: loaded }) => {
      known = loaded;
      if (isThere) setEditor(() => loaded);
    });
    return () => {
      isThere = false;
    };
  }, []);
  if (!Editor) return <Skeleton />;
  return (
    <Editor
      id={id}
      label={label}
      describedBy={describedBy}
      value={Array.isArray(value) ? value : none}
      onChange={set}
      names={context.variables.value.map(({ name }) => name)}
      makeVariable={context.makeVariable}
      isReadOnly={context.isReadOnly}
      shared={shared}
    />
  );
}

const none: readonly unknown[] = [];
