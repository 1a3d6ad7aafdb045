import { Button, ConfirmDialog, IconButton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { archive, remove } from "./bot-actions.ts";
import { IconDialog, MoveDialog, RenameDialog } from "./bot-dialogs.tsx";
import type { Asking } from "./bot-menu.ts";
import type { BotSummary } from "./bots.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { LinkedFrom } from "./linked-from.tsx";

type BarProps = {
  readonly bots: readonly BotSummary[];
  readonly onAsk: (asking: Asking) => void;
  readonly onClear: () => void;
};

/** The actions on the selected bots. */
export function SelectionBar({ bots, onAsk, onClear }: BarProps) {
  const words = useWords();
  const areArchived = bots.every(({ isArchived }) => isArchived);
  return (
    <div class="bots-selected" role="toolbar" aria-label={words.selected({ count: bots.length })}>
      <strong>{words.selected({ count: bots.length })}</strong>
      {!areArchived && (
        <>
          <Button label={words.moveTo} size="s" icon="folder-input" onPress={() => onAsk({ kind: "move", bots })} />
          <Button label={words.archiveBot} size="s" icon="archive" onPress={() => onAsk({ kind: "archive", bots })} />
        </>
      )}
      <Button label={words.exportFile} size="s" icon="download" onPress={() => onAsk({ kind: "export", bots })} />
      <Button label={words.deleteBot} size="s" icon="trash-2" onPress={() => onAsk({ kind: "delete", bots })} />
      <IconButton size="s" icon="x" label={words.clearSelection} onPress={onClear} />
    </div>
  );
}

type AskedProps = {
  readonly asking: Asking;
  readonly workspaceId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

export function Asked({ asking, workspaceId, onClose, onDone }: AskedProps) {
  const words = useWords();
  const after = (act: Promise<void>) => act.then(onDone);
  switch (asking.kind) {
    case "rename":
      return <RenameDialog bot={asking.bot} onClose={onClose} />;
    case "icon":
      return <IconDialog bot={asking.bot} onClose={onClose} />;
    case "move":
      return <MoveDialog bots={asking.bots} workspaceId={workspaceId} onClose={onClose} onDone={onDone} />;
    case "export":
      return <ExportDialog bots={asking.bots} onClose={onClose} />;
    case "archive":
      return (
        <ConfirmDialog
          title={words.archiveTitle({ count: asking.bots.length })}
          text={words.archiveText}
          action={words.archiveBot}
          onConfirm={() => after(archive(asking.bots, words))}
          onClose={onClose}
        >
          <LinkedFrom bots={asking.bots} />
        </ConfirmDialog>
      );
    case "delete":
      return (
        <ConfirmDialog
          title={words.deleteTitle({ count: asking.bots.length })}
          text={words.deleteText}
          action={words.deleteBot}
          isDanger
          onConfirm={() => after(remove(asking.bots, words))}
          onClose={onClose}
        >
          <LinkedFrom bots={asking.bots} />
        </ConfirmDialog>
      );
  }
}
