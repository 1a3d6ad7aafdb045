import { Avatar } from "../../../page-parts/avatar.tsx";
import { Link } from "../../../routing/router.ts";
import { type Column, Dialog, Table } from "../../../ui/index.ts";
import dashboardWords from "../../../words/en/dashboard.json";
import { numberText, useWords } from "../../../words/index.ts";
import { type Figure, rateOf, type WorkspaceFigures } from "./week.ts";

type Row = WorkspaceFigures["bots"][number];

type Props = { readonly figures: WorkspaceFigures; readonly figure: Figure; readonly onClose: () => void };

/**
 * Lists the bots that contribute to a figure, with the lowest completion or the most failed chats first. Each entry
 * links to the bot's chats of the week.
 */
export function FiguresDialog({ figures: { bots }, figure, onClose }: Props) {
  const words = useWords(dashboardWords);
  const title = {
    chats: words.chatsByBot,
    completion: words.completionByBot,
    failing: words.failingByBot,
  }[figure];
  const rows = rowsOf(bots, figure);
  const columns: readonly Column<Row>[] = [
    {
      id: "bot",
      label: words.bot,
      isMain: true,
      cell: (bot) => (
        <Link to={`/bots/${bot.botId}/results?time=last7Days`} class="figures-bot">
          <Avatar icon={bot.botIcon} name={bot.botName} />
          <span>{bot.botName}</span>
        </Link>
      ),
    },
    {
      id: "chats",
      label: words.figureChats,
      align: "end",
      cell: ({ starts }) => numberText(starts),
    },
    figure === "failing"
      ? { id: "failed", label: words.failedChats, align: "end", cell: ({ failedChats }) => numberText(failedChats) }
      : {
          id: "completion",
          label: words.figureCompletion,
          align: "end",
          cell: (bot) => (bot.starts === 0 ? "–" : words.percent({ percent: rateOf(bot) })),
        },
  ];
  return (
    <Dialog title={title} onClose={onClose}>
      {rows.length === 0 ? (
        <p class="figures-none">{figure === "failing" ? words.noneFailing : words.noChatsYet}</p>
      ) : (
        <Table label={title} columns={columns} rows={rows} keyOf={({ botId }) => botId} isPressed />
      )}
    </Dialog>
  );
}

function rowsOf(bots: readonly Row[], figure: Figure): readonly Row[] {
  if (figure === "failing") {
    return bots
      .filter(({ failedChats }) => failedChats > 0)
      .toSorted((one, other) => other.failedChats - one.failedChats);
  }
  const started = bots.filter(({ starts }) => starts > 0);
  return figure === "chats" ? started : started.toSorted((one, other) => rateOf(one) - rateOf(other));
}
