import { useState } from "preact/hooks";
import { call } from "../../api/index.ts";
import { nodesOf } from "../../frame/folder-tree.tsx";
import { Avatar } from "../../page-parts/avatar.tsx";
import { FormDialog, NameDialog } from "../../page-parts/form-dialog.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { useFolders, useWorkspaces } from "../../session/workspaces.ts";
import { Button, Dialog, FieldError, Select, TextField, Tree, type TreeNode, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { rename, setIcon } from "./bot-actions.ts";
import { type BotSummary, refreshBots } from "./bots.ts";
import { LinkedFrom } from "./linked-from.tsx";

type OfOne = { readonly bot: BotSummary; readonly onClose: () => void };

export function RenameDialog({ bot, onClose }: OfOne) {
  const words = useWords();
  const save = async (name: string) => {
    await rename(bot, name);
    onClose();
  };
  return (
    <NameDialog
      title={words.rename}
      label={words.name}
      value={bot.name}
      action={words.save}
      send={save}
      onClose={onClose}
    />
  );
}

const suggested = ["💬", "👋", "📋", "⭐", "🧠", "📅", "✉️", "🛟", "🛒", "🎓", "🏠", "💼"];

export function IconDialog({ bot, onClose }: OfOne) {
  const words = useWords();
  const [icon, setChosen] = useState(bot.icon ?? "");
  const save = async () => {
    await setIcon(bot, icon.trim() === "" ? null : icon.trim());
    onClose();
  };
  return (
    <FormDialog title={words.changeIcon} action={words.save} required={{}} send={save} onClose={onClose}>
      {(errorOf) => (
        <>
          <div class="icon-choice">
            {suggested.map((each) => (
              <button
                key={each}
                type="button"
                class="icon-choice-one"
                aria-pressed={each === icon}
                onClick={() => setChosen(each)}
              >
                {each}
              </button>
            ))}
          </div>
          <div class="icon-own">
            <Avatar icon={icon.trim() || null} name={bot.name} size="l" />
            <TextField label={words.icon} help={words.iconHelp} value={icon} onInput={setChosen} error={errorOf()} />
          </div>
        </>
      )}
    </FormDialog>
  );
}

type MoveProps = {
  readonly bots: readonly BotSummary[];
  readonly workspaceId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

const top = "top";

/**
 * The "Move to…" dialog. It is the alternative to dragging for keyboard and touch, and can also move bots to other
 * workspaces.
 */
export function MoveDialog({ bots, workspaceId, onClose, onDone }: MoveProps) {
  const words = useWords();
  const { value: workspaces = [] } = useWorkspaces();
  const [target, setTarget] = useState(workspaceId);
  const { value: folders = [] } = useFolders(target);
  const [chosen, setChosen] = useState(bots[0]?.folderId ?? top);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set([top]));
  const { isBusy, error, submit } = useSubmit();
  const nodes: readonly TreeNode[] = [
    { id: top, label: words.noFolder, icon: "house", children: nodesOf(folders, null) },
  ];
  const isHere = target === workspaceId && bots.every((bot) => (bot.folderId ?? top) === chosen);
  const move = () =>
    submit({}, async () => {
      const folderId = chosen === top ? null : chosen;
      const destination = target === workspaceId ? { folderId } : { workspaceId: target, folderId };
      await call("POST /api/v1/bots/bulk", {
        body: { action: "move", botIds: bots.map(({ id }) => id), ...destination },
      });
      const place = folders.find(({ id }) => id === folderId)?.name ?? workspaces.find(({ id }) => id === target)?.name;
      toast(
        place === undefined
          ? words.movedOutToast({ count: bots.length })
          : words.movedToast({ count: bots.length, place }),
      );
      onDone();
      onClose();
      await refreshBots();
    });
  return (
    <Dialog
      title={words.moveTitle({ count: bots.length })}
      size="s"
      onClose={onClose}
      onSubmit={() => void move()}
      actions={
        <>
          <Button label={words.cancel} onPress={onClose} />
          <Button label={words.moveHere} kind="primary" type="submit" busy={isBusy} isDisabled={isHere} />
        </>
      }
    >
      {workspaces.length > 1 && (
        <Select
          label={words.otherWorkspace}
          value={target}
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => {
            setTarget(id);
            setChosen(top);
          }}
        />
      )}
      <div class="move-folders">
        <Tree
          label={words.folders}
          nodes={nodes}
          selected={chosen}
          onSelect={setChosen}
          expanded={expanded}
          onExpand={(id, isExpanded) => {
            const next = new Set(expanded);
            if (isExpanded) next.add(id);
            else next.delete(id);
            setExpanded(next);
          }}
        />
      </div>
      {target !== workspaceId && <LinkedFrom bots={bots} />}
      <FieldError error={error} />
    </Dialog>
  );
}
