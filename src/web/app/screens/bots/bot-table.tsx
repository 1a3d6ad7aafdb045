import { Avatar } from "../../page-parts/avatar.tsx";
import { Link } from "../../routing/router.ts";
import { type Column, Menu, type MenuItem, Table, type TableProps } from "../../ui/index.ts";
import { numberText, timeText, useWords, type Words, whenText } from "../../words/index.ts";
import type { BotSummary } from "./bots.ts";
import { StateBadge } from "./state-badge.tsx";

export type BotsProps = Pick<TableProps<BotSummary>, "selection" | "onSelect"> & {
  readonly bots: readonly BotSummary[];
  readonly itemsOf: (bot: BotSummary) => MenuItem[];
  /** Returns the attributes for dragging and for the context menu. */
  readonly attributesOf: (bot: BotSummary) => Readonly<Record<string, unknown>>;
};

/** Shows bots as rows with their name, state, and number of chats in a week. */
export function BotTable({ bots, itemsOf, attributesOf, selection, onSelect }: BotsProps) {
  const words = useWords();
  return (
    <Table
      label={words.bots}
      columns={columnsOf(words, itemsOf)}
      rows={bots}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      {...{ selection, onSelect }}
      rowAttributes={attributesOf}
    />
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
        {/* Shown in narrow tables, which have no column for the state. */}
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
