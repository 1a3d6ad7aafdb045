import { useState } from "preact/hooks";
import { usesOfVariable } from "../../../../../core/editing/references/references.ts";
import type { FlowVariable } from "../../../../../core/interpreter/flow.ts";
import { mergeVariable, removeVariable, renameVariable } from "../../../editor/commands/variables.ts";
import type { Done, OpenBot } from "../../../editor/index.ts";
import { announce, Button, Combobox, Dialog, toast } from "../../../ui/index.ts";
import variableWords from "../../../words/en/variable.json";
import { useWords } from "../../../words/index.ts";
import { Uses, useUsedPlaces } from "./uses.tsx";

/** The open dialog about a variable. */
export type Asking =
  | { readonly kind: "rename"; readonly variable: FlowVariable; readonly name: string }
  | { readonly kind: "merge"; readonly variable: FlowVariable; readonly into?: string }
  | { readonly kind: "remove"; readonly variable: FlowVariable };

export type VariableDialogProps = { readonly bot: OpenBot; readonly asking: Asking; readonly onClose: () => void };

/** The dialog for renaming, merging or removing a variable, which lists all changes before they are made. */
export function VariableDialog(props: VariableDialogProps) {
  const { asking, bot, onClose } = props;
  switch (asking.kind) {
    case "rename":
      return <Rename bot={bot} variable={asking.variable} name={asking.name} onClose={onClose} />;
    case "merge":
      return <Merge bot={bot} variable={asking.variable} first={asking.into} onClose={onClose} />;
    case "remove":
      return <Remove bot={bot} variable={asking.variable} onClose={onClose} />;
  }
}

type Common = { readonly bot: OpenBot; readonly variable: FlowVariable; readonly onClose: () => void };

function Rename({ bot, variable, name, onClose }: Common & { readonly name: string }) {
  const words = useWords(variableWords);
  const { editor } = bot;
  const uses = usesOfVariable(editor.store.draft.value, variable.id).filter(({ to }) => to === "name");
  const places = useUsedPlaces(bot, uses);
  return (
    <Dialog
      title={words.renameTitle({ from: variable.name, to: name })}
      text={words.renameText({ count: places.length })}
      size="s"
      onClose={onClose}
      onSubmit={() => {
        tell(editor.run(renameVariable, { variableId: variable.id, name }));
        onClose();
      }}
      actions={<Button label={words.renameButton} kind="primary" type="submit" />}
    >
      <Uses bot={bot} places={places} />
    </Dialog>
  );
}

function Merge({ bot, variable, first, onClose }: Common & { readonly first: string | undefined }) {
  const words = useWords(variableWords);
  const { editor } = bot;
  const [into, setInto] = useState(first);
  const draft = editor.store.draft.value;
  const places = useUsedPlaces(bot, usesOfVariable(draft, variable.id));
  const others = draft.variables.filter(({ id }) => id !== variable.id);
  const kept = others.find(({ id }) => id === into);
  return (
    <Dialog
      title={
        first === undefined ? words.mergeTitle({ name: variable.name }) : words.takenTitle({ name: kept?.name ?? "" })
      }
      text={first === undefined ? undefined : words.takenText}
      size="s"
      onClose={onClose}
      onSubmit={() => {
        if (into === undefined) return;
        tell(editor.run(mergeVariable, { from: variable.id, into }));
        onClose();
      }}
      actions={<Button label={words.mergeButton} kind="primary" type="submit" isDisabled={!kept} />}
    >
      {first === undefined && (
        <Combobox
          label={words.mergeInto}
          value={into}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          noneLabel={words.noOther}
          onChange={setInto}
        />
      )}
      {kept && (
        <p class="variable-note">{words.mergeText({ name: variable.name, into: kept.name, count: places.length })}</p>
      )}
      {kept && <Uses bot={bot} places={places} />}
    </Dialog>
  );
}

function Remove({ bot, variable, onClose }: Common) {
  const words = useWords(variableWords);
  const { editor } = bot;
  const places = useUsedPlaces(bot, usesOfVariable(editor.store.draft.value, variable.id));
  return (
    <Dialog
      title={words.removeTitle({ name: variable.name })}
      text={words.removeText({ count: places.length })}
      size="s"
      onClose={onClose}
      onSubmit={() => {
        tell(editor.run(removeVariable, { variableId: variable.id }));
        onClose();
      }}
      actions={<Button label={words.removeButton} kind="danger" type="submit" />}
    >
      <Uses bot={bot} places={places} />
    </Dialog>
  );
}

/** Announces the result to screen readers. A refusal is also shown. */
export function tell(done: Done): void {
  if (done.kind === "done") announce(done.title);
  else toast(done.sentence);
}
