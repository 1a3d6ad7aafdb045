import { useState } from "preact/hooks";
import { dragBots } from "../../frame/dragging.ts";
import { Avatar } from "../../page-parts/avatar.tsx";
import { go, Link } from "../../routing/router.ts";
import {
  Badge,
  Button,
  type Column,
  ConfirmDialog,
  IconButton,
  Menu,
  type MenuItem,
  Table,
  type Tone,
  useContextMenu,
} from "../../ui/index.ts";
import { numberText, timeText, useWords, type Words, whenText } from "../../words/index.ts";
import { archive, duplicate, remove, restore } from "./bot-actions.ts";
import { IconDialog, MoveDialog, RenameDialog } from "./bot-dialogs.tsx";
import type { BotSummary } from "./bots.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { LinkedFrom } from "./linked-from.tsx";

type Asking =
  | { readonly kind: "move" | "archive" | "delete" | "export"; readonly bots: readonly BotSummary[] }
  | { readonly kind: "rename" | "icon"; readonly bot: BotSummary };

type BotTableProps = { readonly bots: readonly BotSummary[]; readonly workspaceId: string };

/**
 * Bots as rows: the name of each, its state, its chats of a week; menus and dialogs of the actions on one or on
 * several.
 */
export function BotTable({ bots, workspaceId }: BotTableProps) {
  const words = useWords();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking>();
  const [pointed, setPointed] = useState<BotSummary>();
  const chosen = bots.filter(({ id }) => selection.has(id));
  const itemsOf = (bot: BotSummary): MenuItem[] => menuOf(bot, { words, ask: setAsking });
  const context = useContextMenu(words.moreOf({ name: pointed?.name ?? "" }), () => (pointed ? itemsOf(pointed) : []));
  return (
    <>
      {chosen.length > 0 && <SelectionBar bots={chosen} onAsk={setAsking} onClear={() => setSelection(new Set())} />}
      <Table
        label={words.bots}
        columns={columnsOf(words, itemsOf)}
        rows={bots}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        selection={selection}
        onSelect={setSelection}
        rowAttributes={(bot) => ({
          draggable: bot.accessRight === "write",
          onDragStart: (event: DragEvent) =>
            dragBots(event, selection.has(bot.id) ? chosen.map(({ id }) => id) : [bot.id]),
          onContextMenu: (event: MouseEvent) => {
            setPointed(bot);
            context.onContextMenu(event);
          },
        })}
      />
      {context.menu}
      {asking && (
        <Asked
          asking={asking}
          workspaceId={workspaceId}
          onClose={() => setAsking(undefined)}
          onDone={() => setSelection(new Set())}
        />
      )}
    </>
  );
}

function columnsOf(words: Words, itemsOf: (bot: BotSummary) => MenuItem[]): readonly Column<BotSummary>[] {
  return [
    { id: "bot", label: words.botColumn, isMain: true, cell: (bot) => <Name bot={bot} /> },
    { id: "state", label: words.stateColumn, from: "medium", cell: (bot) => <StateBadge bot={bot} /> },
    { id: "week", label: words.weekColumn, from: "wide", align: "end", cell: (bot) => <Week bot={bot} /> },
    { id: "changed", label: words.changedColumn, from: "medium", cell: (bot) => <Changed bot={bot} /> },
    {
      id: "more",
      label: words.more,
      isHeadHidden: true,
      align: "end",
      cell: (bot) => (
        <Menu isIconOnly kind="quiet" size="s" label={words.moreOf({ name: bot.name })} items={() => itemsOf(bot)} />
      ),
    },
  ];
}

function Name({ bot }: { readonly bot: BotSummary }) {
  return (
    <Link to={`/bots/${bot.id}`} class="bot-name">
      <Avatar icon={bot.icon} name={bot.name} size="l" />
      <span class="bot-name-words">
        <span class="bot-name-text">{bot.name}</span>
        {/* If there is no column for it. */}
        <span class="bot-name-state">
          <StateBadge bot={bot} />
        </span>
      </span>
    </Link>
  );
}

function Week({ bot }: { readonly bot: BotSummary }) {
  const words = useWords();
  const { startedCount, completedCount } = bot.lastSevenDays;
  if (startedCount === 0 && completedCount === 0) return <span class="bot-none">–</span>;
  return (
    <span title={words.weekText({ started: startedCount, completed: completedCount })}>
      {numberText(startedCount)} <span class="bot-none">·</span> {numberText(completedCount)}
    </span>
  );
}

function Changed({ bot }: { readonly bot: BotSummary }) {
  const { at, by } = bot.lastChange;
  return (
    <span class="bot-changed" title={timeText(at)}>
      {whenText(at)}
      {by !== null && <span class="bot-by">{by}</span>}
    </span>
  );
}

type MenuContext = { readonly words: Words; readonly ask: (asking: Asking) => void };

function menuOf(bot: BotSummary, { words, ask }: MenuContext): MenuItem[] {
  const mayWrite = bot.accessRight === "write";
  const open: MenuItem = { label: words.open, icon: "arrow-right", onPress: () => go(`/bots/${bot.id}`) };
  const download: MenuItem = {
    label: words.exportFile,
    icon: "download",
    onPress: () => ask({ kind: "export", bots: [bot] }),
  };
  if (!mayWrite) return [open, download];
  if (bot.isArchived) {
    return [
      { label: words.restore, icon: "archive-restore", onPress: () => void restore(bot, words) },
      download,
      { kind: "line" },
      { label: words.deleteBot, icon: "trash-2", isDanger: true, onPress: () => ask({ kind: "delete", bots: [bot] }) },
    ];
  }
  const { address } = bot;
  return [
    open,
    ...(address === null
      ? []
      : [
          {
            label: words.openChat,
            icon: "external-link",
            onPress: () => void window.open(address, "_blank", "noopener"),
          },
        ]),
    { kind: "line" },
    { label: words.rename, icon: "pencil", onPress: () => ask({ kind: "rename", bot }) },
    { label: words.changeIcon, icon: "smile", onPress: () => ask({ kind: "icon", bot }) },
    { label: words.duplicate, icon: "copy", onPress: () => void duplicate(bot, words) },
    {
      label: words.guestsOf,
      icon: "users",
      onPress: () => go(`/w/${bot.workspaceId}/settings/guests?bot=${bot.id}`),
    },
    { label: words.moveTo, icon: "folder-input", onPress: () => ask({ kind: "move", bots: [bot] }) },
    download,
    { kind: "line" },
    { label: words.archiveBot, icon: "archive", onPress: () => ask({ kind: "archive", bots: [bot] }) },
    { label: words.deleteBot, icon: "trash-2", isDanger: true, onPress: () => ask({ kind: "delete", bots: [bot] }) },
  ];
}

type BarProps = {
  readonly bots: readonly BotSummary[];
  readonly onAsk: (asking: Asking) => void;
  readonly onClear: () => void;
};

/** The actions on the ticked ones. */
function SelectionBar({ bots, onAsk, onClear }: BarProps) {
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

function Asked({ asking, workspaceId, onClose, onDone }: AskedProps) {
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

type Look = { readonly tone: Tone; readonly icon: string; readonly label: (words: Words) => string };

const looks: { readonly [State in BotSummary["state"]]: Look } = {
  draft: { tone: "neutral", icon: "circle-dashed", label: (words) => words.stateDraft },
  live: { tone: "good", icon: "circle-check", label: (words) => words.stateLive },
  changed: { tone: "accent", icon: "pencil", label: (words) => words.stateChanged },
  closed: { tone: "neutral", icon: "lock", label: (words) => words.stateClosed },
  trouble: { tone: "danger", icon: "triangle-alert", label: (words) => words.stateTrouble },
};

/** The state of a bot, as a word, a sign and a colour. */
function StateBadge({ bot }: { readonly bot: BotSummary }) {
  const words = useWords();
  if (bot.isArchived) return <Badge label={words.stateArchived} icon="archive" />;
  const { tone, icon, label } = looks[bot.state];
  return (
    <span title={bot.state === "trouble" ? words.stateTroubleHint({ count: bot.errorCount }) : undefined}>
      <Badge label={label(words)} tone={tone} icon={icon} />
    </span>
  );
}
