/** @jsxImportSource preact */
import { useMemo, useState } from "preact/hooks";
import { eachUse, type Use } from "../../../../editing/references.ts";
import type { FlowVariable } from "../../../../interpreter/flow.ts";
import {
  addVariable,
  mergeVariable,
  removeVariable,
  renameVariable,
  setInVariable,
} from "../../editor/commands/variables.ts";
import type { Done, OpenBot } from "../../editor/index.ts";
import { announce, Badge, Button, ConfirmDialog, EmptyState, Menu, Switch, TextField } from "../../ui/index.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";

/** All variables: where each is written and read, what it begins with, and whether results keep it. */
export function VariablesPanel({ bot }: { readonly bot: OpenBot }) {
  const { variables: words } = useWords(panelWords);
  const [name, setName] = useState("");
  const { editor } = bot;
  const list = editor.store.variables.value;
  const draft = editor.store.draft.value;
  const uses = useMemo(() => usesByVariable(draft, list), [draft, list]);
  const isReadOnly = editor.readOnly.value !== undefined;
  return (
    <div class="panel-list">
      {!isReadOnly && (
        <form
          class="panel-add"
          onSubmit={(event) => {
            event.preventDefault();
            const done = editor.run(addVariable, { name: name.trim() });
            tell(done);
            if (done.kind === "done") setName("");
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
          <Button type="submit" icon="plus">
            {words.add}
          </Button>
        </form>
      )}
      {list.length === 0 && <EmptyState icon="braces" title={words.none} />}
      <ul class="variables">
        {list.map((variable) => (
          <Variable
            key={variable.id}
            bot={bot}
            variable={variable}
            uses={uses.get(variable.id) ?? []}
            isReadOnly={isReadOnly}
          />
        ))}
      </ul>
    </div>
  );
}

type VariableProps = {
  readonly bot: OpenBot;
  readonly variable: FlowVariable;
  readonly uses: readonly Use[];
  readonly isReadOnly: boolean;
};

function Variable({ bot, variable, uses, isReadOnly }: VariableProps) {
  const { variables: words } = useWords(panelWords);
  const { editor } = bot;
  const { id, name, isSessionVariable, value } = variable;
  const [typed, setTyped] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const written = uses.filter(({ how }) => how === "write").length;
  const read = uses.length - written;
  const others = editor.store.variables.value.filter((other) => other.id !== id);
  const twin = others.find((other) => other.name === name);
  const rename = (next: string): void => {
    setTyped(undefined);
    if (next.trim() === "" || next === name) return;
    tell(editor.run(renameVariable, { variableId: id, name: next.trim() }));
  };
  return (
    <li class="variable">
      <div class="variable-head">
        <TextField
          name={words.name}
          value={typed ?? name}
          isReadOnly={isReadOnly}
          onInput={setTyped}
          onCommit={rename}
          attributes={{ "aria-label": words.name }}
        />
        <Menu
          label={name}
          icon="ellipsis"
          isIconOnly
          kind="quiet"
          items={() => [
            { kind: "title", label: words.uses },
            ...uses.slice(0, 12).map((use) => ({
              label: labelOf(use, bot),
              icon: use.how === "write" ? "pencil" : "eye",
              onPress: () => select(bot, use),
            })),
            { kind: "line" },
            ...others.slice(0, 20).map((other) => ({
              label: `${words.mergeInto} ${other.name}`,
              isDisabled: isReadOnly,
              onPress: () => tell(editor.run(mergeVariable, { from: id, into: other.id })),
            })),
            {
              label: words.removeTitle(name),
              icon: "trash-2",
              isDanger: true,
              isDisabled: isReadOnly,
              onPress: () => setRemoving(true),
            },
          ]}
        />
      </div>
      <div class="variable-facts">
        {uses.length === 0 ? (
          <Badge tone="warning">{words.unused}</Badge>
        ) : (
          <>
            {written > 0 && <span>{words.written(written)}</span>}
            {read > 0 && <span>{words.read(read)}</span>}
          </>
        )}
        {typed !== undefined && typed !== name && uses.length > 0 && <span>{words.renameBody(uses.length)}</span>}
      </div>
      {twin && (
        <div class="variable-facts">
          <Badge tone="warning">{words.twin}</Badge>
          <Button
            size="s"
            isDisabled={isReadOnly}
            onPress={() => tell(editor.run(mergeVariable, { from: id, into: twin.id }))}
          >
            {words.mergeTwins}
          </Button>
        </div>
      )}
      <div class="variable-fields">
        <TextField
          label={words.start}
          value={typeof value === "string" ? value : ""}
          isReadOnly={isReadOnly || Array.isArray(value)}
          onInput={(next) =>
            tell(editor.run(setInVariable, { variableId: id, key: "value", ...(next !== "" && { value: next }) }))
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
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle(name)}
          text={words.removeBody(uses.length)}
          action={words.removeTitle(name).replace("?", "")}
          isDanger
          onConfirm={() => tell(editor.run(removeVariable, { variableId: id }))}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

function usesByVariable(draft: Parameters<typeof eachUse>[0], list: readonly FlowVariable[]): Map<string, Use[]> {
  // A text names every one of that name: which is meant, nothing tells.
  const byName = Map.groupBy(list, ({ name }) => name);
  const uses = new Map<string, Use[]>();
  for (const use of eachUse(draft)) {
    const ids =
      use.to === "variable" ? [use.value] : use.to === "name" ? (byName.get(use.value) ?? []).map(({ id }) => id) : [];
    for (const id of ids) {
      const known = uses.get(id);
      if (known) known.push(use);
      else uses.set(id, [use]);
    }
  }
  return uses;
}

/** The group in which it is used, and the field. */
function labelOf({ target, path }: Use, { editor }: OpenBot): string {
  const blockId = target.of === "item" ? target.in : target.id;
  const groupId = editor.store.find.block(blockId ?? "")?.groupId;
  const title = groupId === undefined ? target.of : String(editor.store.find.group(groupId)?.["title"] ?? "");
  return `${title} · ${String(path.findLast((step) => typeof step === "string") ?? "")}`;
}

function select({ editor }: OpenBot, { target: { of, id, in: within } }: Use): void {
  if (id === undefined) return;
  if (of === "item" && within !== undefined) editor.selection.value = { kind: "item", id, blockId: within };
  else if (of === "block" || of === "event") editor.selection.value = { kind: of, id };
}

function tell(done: Done): void {
  announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
}
