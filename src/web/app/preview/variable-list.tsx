import { useState } from "preact/hooks";
import { ApiFailure } from "../api/index.ts";
import { announce, Badge, Button, IconButton, TextArea } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import type { PreviewedBot } from "./bot.ts";
import type { Run } from "./run.ts";
import { valueText } from "./time-line.tsx";
import { type TracedValue, type TracedVariable, variablesIn } from "./trace.ts";

/** Lists the values of variables. While the chat is open, they can be changed. */
export function VariableList({ run, bot }: { readonly run: Run; readonly bot: PreviewedBot }) {
  const words = useWords(previewWords);
  const [open, setOpen] = useState<string>();
  const known = variablesIn(run.steps.value);
  const names = new Set(known.map(({ name }) => name));
  const others = bot.variableNames().filter((name) => !names.has(name));
  const all: readonly TracedVariable[] = [
    ...known,
    ...others.map((name) => ({ name, value: null, isCut: false, isChanged: false })),
  ];
  const maySet = run.state.value === "open" && !run.isEnded.value;
  if (all.length === 0) return <p class="preview-nothing">{words.noVariables}</p>;
  return (
    <>
      <ul class="preview-variables">
        {all.map((variable) => (
          <li key={variable.name} class={variable.isChanged ? "is-changed" : ""}>
            {open === variable.name ? (
              <VariableForm run={run} variable={variable} onDone={() => setOpen(undefined)} />
            ) : (
              <>
                <code class="preview-variable-name" dir="auto">
                  {variable.name}
                </code>
                <span class={`preview-variable-value ${variable.value === null ? "is-empty" : ""}`} dir="auto">
                  {valueText(variable.value, words.empty)}
                  {variable.isCut && ` … (${words.cutValue})`}
                </span>
                {variable.isChanged && <Badge label={words.changed} tone="accent" />}
                <IconButton
                  icon="pencil"
                  size="s"
                  label={words.setValue({ name: variable.name })}
                  isDisabled={!maySet}
                  onPress={() => setOpen(variable.name)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {!maySet && <p class="preview-hint">{words.setWhileWaiting}</p>}
    </>
  );
}

type FormProps = { readonly run: Run; readonly variable: TracedVariable; readonly onDone: () => void };

function VariableForm({ run, variable: { name, value, isCut }, onDone }: FormProps) {
  const words = useWords(previewWords);
  const [text, setText] = useState(textOf(value));
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isList = Array.isArray(value);
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run.setVariable(name, text === "" ? null : isList ? text.split("\n") : text);
      announce(`${name} = ${text === "" ? words.empty : text}`);
      onDone();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(cause.message);
      setBusy(false);
    }
  };
  return (
    <form
      class="preview-variable-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <TextArea
        label={words.setValue({ name })}
        help={isList ? words.oneALine : isCut ? words.cutValue : undefined}
        error={error}
        rows={isList ? 4 : 1}
        value={text}
        onInput={setText}
        attributes={{ autofocus: true }}
      />
      <div class="preview-variable-actions">
        <Button label={words.save} type="submit" kind="primary" size="s" busy={isBusy} />
        <Button label={words.cancel} kind="quiet" size="s" onPress={onDone} />
      </div>
    </form>
  );
}

function textOf(value: TracedValue): string {
  return Array.isArray(value) ? value.map((element) => element ?? "").join("\n") : (value ?? "");
}
