import type { ComponentChildren } from "preact";
import { announce, IconButton } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";
import { inlineCode } from "./inline-code.tsx";

/**
 * Returns the label, help, error and reset button of a field for the components in `ui`. `error` is the error message
 * for the typed text.
 */
export function useFieldProps({ schema, value, path, set }: WidgetProps, error?: string, aside?: ComponentChildren) {
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const title = schema.title ?? String(path.at(-1) ?? "");
  const isMixed = context.mixed?.has(path.join(".")) ?? false;
  // A switch without a default value needs the reset button, because it cannot be cleared otherwise.
  const isOwn =
    value !== undefined && (schema.default === undefined ? schema.type === "boolean" : value !== schema.default);
  const mayReset = (isOwn || isMixed) && !context.isReadOnly;
  const reset = () => {
    set(undefined);
    announce(words.resetDone({ title }));
  };
  return {
    label: title,
    help: schema.help === undefined ? undefined : inlineCode(schema.help),
    error: error ?? context.errors?.().get(path.join(".")),
    aside: (
      <>
        {aside}
        {mayReset && <IconButton icon="rotate-ccw" size="s" label={words.reset({ title })} onPress={reset} />}
      </>
    ),
  };
}
