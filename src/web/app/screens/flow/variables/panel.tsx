import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type Twins, unused, usageIn } from "../../../../../core/editing/references/usage.ts";
import { addVariable } from "../../../editor/commands/variables.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { Banner, Button, EmptyState, folded, Segments, TextField } from "../../../ui/index.ts";
import variableWords from "../../../words/en/variable.json";
import { useWords } from "../../../words/index.ts";
import { type Asking, tell, VariableDialog } from "./dialogs.tsx";
import { VariableRow } from "./row.tsx";
import { wantedVariable } from "./wanted.ts";
import "./variables.css";

/** The number of variables that are rendered at a time, so that the page stays fast. */
const pageSize = 60;
/** The list has a filter if there are more variables than this. */
const fewest = 8;

/**
 * Lists all variables, with the fields that write and read them, the initial and the last value, and whether results
 * store them.
 */
export function VariablesPanel({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(variableWords);
  const { editor } = bot;
  const list = editor.store.variables.value;
  const draft = editor.store.draft.value;
  const { usage, twins } = useMemo(() => usageIn(draft), [draft]);
  const [filter, setFilter] = useState("");
  const [shown, setShown] = useState<"all" | "unused">("all");
  const [pages, setPages] = useState(1);
  const [opened, setOpened] = useState<string>();
  const [asking, setAsking] = useState<Asking>();
  const isReadOnly = editor.readOnly.value !== undefined;
  useWanted((id) => {
    setOpened(id);
    setFilter("");
    setShown("all");
  });
  const isUnused = (id: string) => !usage.has(id);
  const count = list.filter(({ id }) => isUnused(id)).length;
  const wish = folded(filter);
  const found = list.filter(
    ({ id, name }) => (shown === "all" || isUnused(id)) && (wish === "" || folded(name).includes(wish)),
  );
  const first = found.findIndex(({ id }) => id === opened);
  const drawn = found.slice(0, Math.max(pages * pageSize, first + 1));
  return (
    <div class="panel-list">
      {!isReadOnly && <NewVariable bot={bot} onMade={setOpened} />}
      {(list.length > fewest || count > 0) && (
        <div class="variable-filter">
          {list.length > fewest && (
            <TextField
              label={words.filter}
              isLabelHidden
              type="search"
              icon="search"
              placeholder={words.filter}
              value={filter}
              onInput={setFilter}
            />
          )}
          {count > 0 && (
            <Segments
              label={words.filter}
              value={shown}
              options={[
                { value: "all", label: words.all },
                { value: "unused", label: words.unusedOnly({ count }) },
              ]}
              onChange={setShown}
            />
          )}
        </div>
      )}
      {twins.map((one) => (
        <TwinsBanner key={one.name} bot={bot} twins={one} isReadOnly={isReadOnly} onAsk={setAsking} />
      ))}
      {list.length === 0 && <EmptyState icon="braces" title={words.none} />}
      {list.length > 0 && found.length === 0 && <p class="variable-muted">{words.noneSuch}</p>}
      <ul class="variables">
        {drawn.map((variable) => (
          <VariableRow
            key={variable.id}
            bot={bot}
            variable={variable}
            usage={usage.get(variable.id) ?? unused}
            isOpen={opened === variable.id}
            isReadOnly={isReadOnly}
            onToggle={() => setOpened(opened === variable.id ? undefined : variable.id)}
            onAsk={setAsking}
          />
        ))}
      </ul>
      {found.length > drawn.length && (
        <Button
          label={words.showMore({ count: Math.min(pageSize, found.length - drawn.length) })}
          onPress={() => setPages(pages + 1)}
        />
      )}
      {asking && <VariableDialog bot={bot} asking={asking} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

function NewVariable({ bot: { editor }, onMade }: { readonly bot: OpenBot; readonly onMade: (id: string) => void }) {
  const words = useWords(variableWords);
  const [name, setName] = useState("");
  return (
    <form
      class="panel-add"
      onSubmit={(event) => {
        event.preventDefault();
        const done = editor.run(addVariable, { name: name.trim() });
        tell(done);
        if (done.kind === "refused") return;
        const made = editor.store.variables.value.find((variable) => variable.name === name.trim());
        setName("");
        if (made) onMade(made.id);
      }}
    >
      <TextField
        label={words.add}
        isLabelHidden
        placeholder={words.add}
        value={name}
        onInput={setName}
        maxLength={255}
      />
      <Button label={words.addButton} type="submit" icon="plus" />
    </form>
  );
}

type TwinsProps = {
  readonly bot: OpenBot;
  readonly twins: Twins;
  readonly isReadOnly: boolean;
  readonly onAsk: (asking: Asking) => void;
};

/**
 * A warning about several variables with the same name. Fields refer to them by id, but texts refer to them by name and
 * are ambiguous.
 */
function TwinsBanner({ twins: { name, variables, byName }, isReadOnly, onAsk }: TwinsProps) {
  const words = useWords(variableWords);
  const [kept, gone] = variables;
  return (
    <Banner
      text={words.twinsText({ count: byName.length })}
      tone="warning"
      title={words.twins({ count: variables.length, name })}
      action={
        !isReadOnly &&
        kept &&
        gone && (
          <Button
            label={words.makeOne}
            size="s"
            onPress={() => onAsk({ kind: "merge", variable: gone, into: kept.id })}
          />
        )
      }
    />
  );
}

/**
 * Expands a variable that was requested from another part of the screen, scrolls to it, and focuses its name before the
 * next key event.
 */
function useWanted(open: (id: string) => void): void {
  const wanted = wantedVariable.value;
  useLayoutEffect(() => {
    if (wanted === undefined) return;
    wantedVariable.value = undefined;
    open(wanted.id);
    // Waits until the variable's row is rendered and the sheet around it is open.
    queueMicrotask(() => {
      const row = document.querySelector<HTMLElement>(`[data-variable="${CSS.escape(wanted.id)}"]`);
      row?.scrollIntoView({ block: "nearest" });
      const field = row?.querySelector("input");
      if (!field || !wanted.mayMoveTo(row)) {
        wanted.keys.release();
        return;
      }
      field.focus();
      wanted.keys.give();
    });
  }, [wanted]);
}
