import { TextField } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { numberText, useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { contrastOf, hexOf, readColor } from "../fields/contrast.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { useFormRoot } from "../form-root.ts";
import { textOf } from "../values.ts";
import { Media } from "./media.tsx";
import { beside } from "./pickers.tsx";
import { emptied } from "./text.tsx";

/**
 * A field for a colour, which can be selected or typed. For a text colour, the contrast with the background is shown.
 */
export function Color(props: WidgetProps) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const value = textOf(props.value);
  const shown = readColor(value) ?? readColor(textOf(props.schema.default));
  const { label, ...field } = useFieldProps(props);
  return (
    <div>
      <TextField
        label={label}
        {...field}
        aside={
          <>
            {field.aside}
            <input
              class="app-form-swatch"
              type="color"
              aria-label={words.pickColor({ title: label })}
              value={shown ? hexOf(shown) : "#000000"}
              disabled={context.isReadOnly}
              onInput={(event) => props.set(event.currentTarget.value)}
            />
          </>
        }
        value={value}
        placeholder={textOf(props.schema.default)}
        isReadOnly={context.isReadOnly}
        attributes={{ autocomplete: "off", spellcheck: false }}
        onInput={(text) => props.set(emptied(text))}
      />
      <Contrast {...props} />
    </div>
  );
}

/** Shows the contrast if both colours are known. Text requires a ratio of at least 4.5:1. */
function Contrast(props: WidgetProps) {
  const words = useWords(formWords);
  if (!textKeys.has(String(props.path.at(-1)))) return null;
  const properties = props.around.at(-1)?.schema.properties ?? {};
  // If only the background is set, the page chooses a readable text colour.
  if (textOf(props.value) === "" && textOf(beside(props, "backgroundColor")) !== "") return null;
  const written = textOf(beside(props, "backgroundColor")) || textOf(properties["backgroundColor"]?.default);
  const behind = readColor(written);
  const text = readColor(textOf(props.value) || textOf(props.schema.default));
  if (!behind || !text) return null;
  const ratio = contrastOf(text, behind);
  const rounded = numberText(Math.floor(ratio * 10) / 10);
  return (
    <p class={`app-form-note ${ratio < 4.5 ? "is-warning" : ""}`}>
      {ratio < 4.5 ? words.tooFaint({ ratio: rounded }) : words.contrast({ ratio: rounded })}
    </p>
  );
}

const textKeys = new Set(["color", "placeholderColor"]);

/** The background of the chat, which is a colour or a picture depending on the `type` of the same object. */
export function Background(props: WidgetProps) {
  const type = textOf(beside(props, "type")) || textOf(props.around.at(-1)?.schema.properties?.["type"]?.default);
  if (type === "None") return null;
  return type === "Image" ? (
    <Media {...props} schema={{ ...props.schema, holds: "image", default: undefined }} />
  ) : (
    <Color {...props} />
  );
}
