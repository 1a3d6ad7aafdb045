import { type Answer, call, useQuery } from "../../api/index.ts";
import { TwoLines } from "../../page-parts/lists.tsx";
import { Link } from "../../routing/router.ts";
import { type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, timeText, useWords, whenText } from "../../words/index.ts";

type Bot = Answer<"GET /api/v1/workspaces/:workspaceId/problems">["bots"][number];
type Row = Bot["problems"][number] & { readonly botId: string; readonly botName: string };

const shown = 10;

/** Lists the errors that affected the most chats in the last week, each with the latest affected chat. */
export function Problems({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(insightWords);
  const { value } = useQuery(`problems/${workspaceId}`, () =>
    call("GET /api/v1/workspaces/:workspaceId/problems", { path: { workspaceId } }),
  );
  if (!value) return null;
  const rows = value.bots
    .flatMap(({ botId, botName, problems }) => problems.map((problem): Row => ({ ...problem, botId, botName })))
    .toSorted((a, b) => b.lastWeek.chats - a.lastWeek.chats)
    .slice(0, shown);
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: "bot", label: words.bot, isMain: true },
      cell: ({ botId, botName, groupTitle, blockName, blockId }) => (
        <TwoLines detail={[groupTitle, blockName].filter(Boolean).join(" · ")}>
          <Link to={`/bots/${botId}${blockId === null ? "" : `?at=${encodeURIComponent(blockId)}`}`}>{botName}</Link>
        </TwoLines>
      ),
    },
    { id: "reason", label: words.reason, cell: ({ reason }) => <code>{reason}</code> },
    { id: "chats", label: words.chats, align: "end", cell: ({ lastWeek }) => numberText(lastWeek.chats) },
    {
      ...{ id: "last", label: words.lastChat, from: "medium" },
      cell: ({ botId, lastResultId, lastSeenAt }) => {
        const when = lastSeenAt === null ? "–" : whenText(lastSeenAt);
        const title = lastSeenAt === null ? undefined : timeText(lastSeenAt);
        return lastResultId === null ? (
          when
        ) : (
          <Link to={`/bots/${botId}/results/${lastResultId}`} title={title}>
            {when}
          </Link>
        );
      },
    },
  ];
  return (
    <section class="insight-card">
      <h2>{words.problems}</h2>
      {rows.length === 0 ? (
        <p class="insight-muted">{words.problemsNone}</p>
      ) : (
        <div class="insight-table">
          <Table
            label={words.problems}
            columns={columns}
            rows={rows}
            keyOf={({ botId, blockId, reason }) => `${botId} ${reason} ${blockId}`}
          />
        </div>
      )}
    </section>
  );
}
