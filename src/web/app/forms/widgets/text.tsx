import { useId } from "preact/hooks";
import { IconButton, TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot, useSharedText } from "../form-root.ts";
import { textOf } from "../values.ts";
import { VariableField, type VariableFieldProps } from "./variable-field.tsx";

/** A text field with one line. */
export function Text(props: WidgetProps) {
  return <Written {...props} kind="line" />;
}

/** A text field with several lines. */
export function LongText(props: WidgetProps) {
  return <Written {...props} kind="lines" />;
}

export function Written({
  kind,
  hint,
  ...props
}: WidgetProps &
  Pick<VariableFieldProps, "kind" | "below" | "error" | "aside" | "isBare"> & {
    /** The placeholder of an empty field; the default value if absent. */
    readonly hint?: string;
  }) {
  const shared = useSharedText(props.path);
  return (
    <VariableField
      {...props}
      kind={kind}
      shared={shared}
      text={textOf(props.value)}
      onText={(text, before) => {
        const stored = (words: string) => (props.schema.keepsEmpty ? words : emptied(words));
        props.set(stored(text), { text: stored(before) });
      }}
      placeholder={hint ?? textOf(props.schema.default)}
    />
  );
}

/** A text that overrides a default. A stored empty text turns the default off. A default of null means no text. */
export function OptionalText(props: WidgetProps) {
  const { schema, value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const hasDefault = schema.default !== null;
  const isOff = value === "" || (value === undefined && !hasDefault);
  const title = schema.title ?? "";
  return (
    <Written
      {...props}
      kind="line"
      hint={isOff ? words.turnedOff : textOf(schema.default)}
      aside={
        hasDefault &&
        !isOff &&
        !context.isReadOnly && <IconButton icon="x" size="s" label={words.turnOff({ title })} onPress={() => set("")} />
      }
    />
  );
}

export function Suggestion(props: WidgetProps) {
  return <Offered {...props} offers={props.schema.examples ?? []} />;
}

/** A time zone from the browser's list, or a variable that contains one. */
export function Zone(props: WidgetProps) {
  return <Offered {...props} offers={Intl.supportedValuesOf("timeZone")} />;
}

function Offered({ offers, ...props }: WidgetProps & { readonly offers: readonly string[] }) {
  const { context } = useFormRoot();
  const id = useId();
  const value = textOf(props.value);
  const { pattern } = props.schema;
  return (
    <>
      <TextField
        {...useFieldProps(props)}
        value={value}
        placeholder={textOf(props.schema.default)}
        isReadOnly={context.isReadOnly}
        onInput={(text) => props.set(emptied(text))}
        attributes={{ list: id, autocomplete: "off", pattern }}
      />
      <datalist id={id}>
        {offers.map((offer) => (
          <option key={offer} value={offer} />
        ))}
      </datalist>
    </>
  );
}

/** Converts an empty text to undefined, so that the default applies. */
export function emptied(text: string): string | undefined {
  return text === "" ? undefined : text;
}
