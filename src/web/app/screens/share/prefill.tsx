import { useState } from "preact/hooks";
import { Button, IconButton, Select, TextField } from "../../ui/index.ts";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";

/** A row as it is typed. Names may be empty or duplicate. */
export type Row = readonly [name: string, value: string];

/** Returns the initial values of a chat by variable name. */
export function variablesOf(rows: readonly Row[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.filter(([name, value]) => name !== "" && value !== ""));
}

export type PrefillProps = {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
};

/** Edits initial values of variables, which become part of the URL and the snippets. */
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
