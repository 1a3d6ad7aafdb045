import { useState } from "preact/hooks";
import { TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import { durationText } from "../../words/language.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { VariableField } from "./variable-field.tsx";

type Read = { readonly value: number | undefined } | { readonly error: "notANumber" | "tooSmall" | "tooLarge" };

/** Parses a number within the field's bounds. An empty text has no value. */
export function readNumber(text: string, { minimum, maximum }: { minimum?: number; maximum?: number }): Read {
  const written = text.trim();
  if (written === "") return { value: undefined };
  const value = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(written) ? Number(written.replace(",", ".")) : Number.NaN;
  if (!Number.isFinite(value)) return { error: "notANumber" };
  if (minimum !== undefined && value < minimum) return { error: "tooSmall" };
  if (maximum !== undefined && value > maximum) return { error: "tooLarge" };
  return { value };
}

/**
 * A number field. Text that is invalid or out of bounds stays in the field, and the draft keeps the last valid number.
 */
export function NumberField(props: WidgetProps) {
  const { schema, value, set } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const [typed, setTyped] = useState<string>();
  const bounds = {
    ...(schema.minimum !== undefined && { minimum: schema.minimum }),
    ...(schema.maximum !== undefined && { maximum: schema.maximum }),
  };
  const read = typed === undefined ? undefined : readNumber(typed, bounds);
  const isError = read !== undefined && "error" in read;
  const shown = typed !== undefined && (isError || read?.value === value) ? typed : textOf(value);
  const sentences = {
    notANumber: words.notANumber,
    tooSmall: words.tooSmall({ least: schema.minimum ?? 0 }),
    tooLarge: words.tooLarge({ most: schema.maximum ?? 0 }),
  };
  return (
    <TextField
      {...useFieldProps(props, isError ? sentences[read.error] : undefined)}
      value={shown}
      placeholder={textOf(schema.default)}
      isReadOnly={context.isReadOnly}
      attributes={{ inputmode: "decimal", autocomplete: "off" }}
      onInput={(text) => {
        setTyped(text);
        const next = readNumber(text, bounds);
        if ("value" in next && next.value !== value) set(next.value);
      }}
      onCommit={() => !isError && setTyped(undefined)}
    />
  );
}

/** A number, or a text with a variable. Any other text stays in the field and does not change the draft. */
export function NumberOrVariable(props: WidgetProps) {
  const { schema, value, set } = props;
  const words = useWords(formWords);
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : readNumberOrVariable(typed);
  const isError = read !== undefined && "error" in read;
  const shown = typed !== undefined && (isError || read?.value === value) ? typed : textOf(value);
  return (
    <VariableField
      {...props}
      kind="line"
      text={shown}
      error={isError ? words.notANumber : undefined}
      placeholder={textOf(schema.default)}
      onText={(text) => {
        setTyped(text);
        const next = readNumberOrVariable(text);
        if ("value" in next && next.value !== value) set(next.value);
      }}
      onLeave={() => !isError && setTyped(undefined)}
    />
  );
}

/** A duration in seconds, or a variable that contains one. The readable duration is shown below the field. */
export function Duration(props: WidgetProps) {
  const words = useWords(formWords);
  const seconds = Number(textOf(props.value).trim());
  return (
    <div>
      <NumberOrVariable {...props} />
      {seconds >= 1 && <p class="app-field-help">{words.duration({ time: durationText(seconds) })}</p>}
    </div>
  );
}

function readNumberOrVariable(text: string): Read | { readonly value: string } {
  return text.includes("{{") ? { value: text } : readNumber(text, {});
}
