import { useState } from "preact/hooks";
import type { Usage } from "../../../../../core/editing/references/usage.ts";
import type { FlowVariable } from "../../../../../core/interpreter/flow.ts";
import { renameVariable, setInVariable } from "../../../editor/commands/variables.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { Badge, Button, IconButton, Switch, TextField } from "../../../ui/index.ts";
import variableWords from "../../../words/en/variable.json";
import { useWords } from "../../../words/index.ts";
import { type Asking, tell } from "./dialogs.tsx";
import { Uses, useUsedPlaces } from "./uses.tsx";

export type VariableRowProps = {
  readonly bot: OpenBot;
  readonly variable: FlowVariable;
  readonly usage: Usage;
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  readonly onToggle: () => void;
  readonly onAsk: (asking: Asking) => void;
};

/** A variable, with its name and uses in one line. The other properties are visible when the row is expanded. */
export function VariableRow({ bot, variable, usage, isOpen, isReadOnly, onToggle, onAsk }: VariableRowProps) {
  const words = useWords(variableWords);
  const { id, name, isSessionVariable, isPrefillable } = variable;
  const [typed, setTyped] = useState<string>();
  const { editor } = bot;
  const rename = (wanted: string): void => {
    const next = wanted.trim();
    setTyped(undefined);
    if (next === "" || next === name) return;
    const taken = editor.store.variables.value.find((other) => other.name === next && other.id !== id);
    const isNamed = [...usage.written, ...usage.read].some(({ to }) => to === "name");
    if (taken) onAsk({ kind: "merge", variable, into: taken.id });
    else if (isNamed && !/[{}]/.test(next)) onAsk({ kind: "rename", variable, name: next });
    else tell(editor.run(renameVariable, { variableId: id, name: next }));
  };
  const { written, read } = usage;
  return (
    <li class={`variable ${isOpen ? "is-open" : ""}`} data-variable={id}>
      <div class="variable-head">
        <TextField
          name={words.name}
          value={typed ?? name}
          isReadOnly={isReadOnly}
          onInput={setTyped}
          onCommit={rename}
          maxLength={255}
          attributes={{ spellcheck: false, autocomplete: "off" }}
        />
        <IconButton
          icon={isOpen ? "chevron-up" : "chevron-down"}
          label={words.details({ name })}
          attributes={{ "aria-expanded": String(isOpen) }}
          onPress={onToggle}
        />
      </div>
      <p class="variable-facts">
        {written.length + read.length === 0 ? (
          <Badge label={words.unused} tone="warning" />
        ) : (
          [
            written.length > 0 ? words.written({ count: written.length }) : "",
            read.length > 0 ? words.read({ count: read.length }) : "",
            isSessionVariable === true ? words.notInResults : "",
            isPrefillable === false ? words.notPrefillable : "",
          ]
            .filter((fact) => fact !== "")
            .join(" · ")
        )}
      </p>
      {isOpen && <Details bot={bot} variable={variable} usage={usage} isReadOnly={isReadOnly} onAsk={onAsk} />}
    </li>
  );
}

type DetailsProps = Pick<VariableRowProps, "bot" | "variable" | "usage" | "isReadOnly" | "onAsk">;

function Details({ bot, variable, usage: { written, read }, isReadOnly, onAsk }: DetailsProps) {
  const words = useWords(variableWords);
  const { editor } = bot;
  const { id, name, isSessionVariable, isPrefillable, value } = variable;
  const last = editor.lastValues.value.get(name);
  const isOther = value !== undefined && value !== null && typeof value !== "string";
  return (
    <div class="variable-details">
      <TextField
        label={words.start}
        value={isOther ? JSON.stringify(value) : typeof value === "string" ? value : ""}
        help={isOther ? words.startList : undefined}
        isReadOnly={isReadOnly || isOther}
        onInput={(next) =>
          tellRefusal(editor.run(setInVariable, { variableId: id, key: "value", ...(next !== "" && { value: next }) }))
        }
      />
      <Switch
        label={words.inResults}
        isChecked={isSessionVariable !== true}
        isDisabled={isReadOnly}
        onChange={(isKept) =>
          tell(editor.run(setInVariable, { variableId: id, key: "isSessionVariable", value: !isKept }))
        }
      />
      <Switch
        label={words.prefillable}
        help={words.prefillableHelp}
        isChecked={isPrefillable !== false}
        isDisabled={isReadOnly}
        onChange={(isAllowed) =>
          tell(editor.run(setInVariable, { variableId: id, key: "isPrefillable", ...(!isAllowed && { value: false }) }))
        }
      />
      {last !== undefined && (
        <p class="variable-last">
          <span class="variable-muted">{words.last}</span> <code dir="auto">{textOf(last) || words.empty}</code>
        </p>
      )}
      <UsesPart title={words.writtenIn} bot={bot} uses={written} />
      <UsesPart title={words.readIn} bot={bot} uses={read} />
      {!isReadOnly && (
        <div class="variable-acts">
          <Button label={words.merge} size="s" icon="refresh-cw" onPress={() => onAsk({ kind: "merge", variable })} />
          <Button
            label={words.remove}
            size="s"
            kind="quiet"
            icon="trash-2"
            onPress={() => onAsk({ kind: "remove", variable })}
          />
        </div>
      )}
    </div>
  );
}

type UsesPartProps = { readonly title: string; readonly bot: OpenBot; readonly uses: Usage["read"] };

function UsesPart({ title, bot, uses }: UsesPartProps) {
  const words = useWords(variableWords);
  const places = useUsedPlaces(bot, uses);
  return (
    <section>
      <h3 class="variable-part">{title}</h3>
      {places.length === 0 ? (
        <p class="variable-muted">{words.nowhere}</p>
      ) : (
        <Uses bot={bot} places={places} onGo={() => {}} />
      )}
    </section>
  );
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map((entry) => entry ?? "").join(", ") : typeof value === "string" ? value : "";
}

/** Announces only refusals, because the effect of typing is visible. */
function tellRefusal(done: Parameters<typeof tell>[0]): void {
  if (done.kind === "refused") tell(done);
}
