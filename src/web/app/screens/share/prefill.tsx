import { useState } from "preact/hooks";
import { Button, IconButton, Select, TextField } from "../../ui/index.ts";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";

/** Rows as they are typed; names may be empty, or occur twice. */
export type Row = readonly [name: string, value: string];

/** The initial values of a chat. */
export function variablesOf(rows: readonly Row[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.filter(([name, value]) => name !== "" && value !== ""));
}

export type PrefillProps = {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
};

/** Values for variables, which are part of the address and the snippets. */
export function Prefill({ names, rows, onChange }: PrefillProps) {
  const words = useWords(shareWords);
  const [isOpen, setOpen] = useState(rows.length > 0);
  if (names.length === 0) return null;
  const change = (index: number, row: Row) => onChange(rows.map((one, at) => (at === index ? row : one)));
  return (
    <details class="share-prefill" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.prefill}</summary>
      <p class="share-hint">{words.prefillText}</p>
      {rows.map(([name, value], index) => (
        <div key={index} class="share-prefill-row">
          <Select
            name={words.variable}
            value={name}
            options={[{ value: "", label: words.variable }, ...names.map((one) => ({ value: one, label: one }))]}
            onChange={(next) => change(index, [next, value])}
          />
          <TextField
            name={words.value}
            placeholder={words.value}
            value={value}
            onInput={(next) => change(index, [name, next])}
          />
          <IconButton
            icon="x"
            size="s"
            label={words.removeVariable({ name })}
            onPress={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button label={words.addVariable} size="s" icon="plus" onPress={() => onChange([...rows, ["", ""]])} />
      </div>
    </details>
  );
}
