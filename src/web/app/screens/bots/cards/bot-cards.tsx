import { Avatar } from "../../../page-parts/avatar.tsx";
import { Link } from "../../../routing/router.ts";
import { Checkbox, Menu } from "../../../ui/index.ts";
import dashboardWords from "../../../words/en/dashboard.json";
import { numberText, timeText, useWords, whenText } from "../../../words/index.ts";
import type { BotsProps } from "../bot-table.tsx";
import type { BotSummary } from "../bots.ts";
import { StateBadge } from "../state-badge.tsx";
import { FlowPicture } from "./flow-picture.tsx";
import "./bot-cards.css";

/** Shows bots as cards with a picture of the flow, the state, the chats in a week, and the last change. */
export function BotCards({ bots, itemsOf, attributesOf, selection, onSelect }: BotsProps) {
  const words = useWords();
  const choose = (id: string, isChecked: boolean) => {
    const next = new Set(selection);
    if (isChecked) next.add(id);
    else next.delete(id);
    onSelect?.(next);
  };
  const hasChosen = (selection?.size ?? 0) > 0;
  return (
    <ul class={`bot-cards ${hasChosen ? "has-chosen" : ""}`} aria-label={words.bots}>
      {bots.map((bot) => {
        const isChosen = selection?.has(bot.id) ?? false;
        return (
          <li key={bot.id} class={`bot-card ${isChosen ? "is-chosen" : ""}`} {...attributesOf(bot)}>
            <div class="bot-card-picture">
              <FlowPicture picture={bot.picture} />
            </div>
            <div class="bot-card-tick">
              <Checkbox
                label={words.select({ name: bot.name })}
                isLabelHidden
                isChecked={isChosen}
                onChange={(isChecked) => choose(bot.id, isChecked)}
              />
            </div>
            <div class="bot-card-head">
              <Avatar icon={bot.icon} name={bot.name} />
              <h2>
                {/* The link covers the whole card. */}
                <Link to={`/bots/${bot.id}`} class="bot-card-link">
                  {bot.name}
                </Link>
              </h2>
              <Menu
                isIconOnly
                kind="quiet"
                size="s"
                label={words.moreOf({ name: bot.name })}
                items={() => itemsOf(bot)}
              />
            </div>
            <StateBadge bot={bot} />
            <Week bot={bot} />
            <LastChange bot={bot} />
          </li>
        );
      })}
    </ul>
  );
}

// A node of an older release does not send the daily counts.
function Week({ bot: { lastSevenDays, startsByDay = [] } }: { readonly bot: BotSummary }) {
  const words = useWords(dashboardWords);
  const { startedCount, completedCount } = lastSevenDays;
  const days = startsByDay.map(numberText).join(", ");
  return (
    <div class="bot-card-week">
      <p>
        {startedCount === 0 ? (
          words.noChats
        ) : (
          <>
            <strong>{words.chats({ count: startedCount })}</strong>
            <span>{words.completed({ percent: Math.round((completedCount / startedCount) * 100) })}</span>
          </>
        )}
      </p>
      {startsByDay.some((chats) => chats > 0) && <ChatsLine days={startsByDay} label={words.chatsByDay({ days })} />}
    </div>
  );
}

function LastChange({ bot: { lastChange } }: { readonly bot: BotSummary }) {
  const { at, by } = lastChange;
  return (
    <p class="bot-card-change" title={timeText(at)}>
      {by !== null && (
        <>
          <Avatar icon={null} name={by} />
          <span class="bot-card-by">{by}</span>
          <span aria-hidden="true">·</span>
        </>
      )}
      <span>{whenText(at)}</span>
    </p>
  );
}

const width = 96;
const height = 26;
const rim = 2;

/** A line chart of the chats per day. The label contains the numbers. */
function ChatsLine({ days, label }: { readonly days: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...days);
  const step = (width - 2 * rim) / Math.max(1, days.length - 1);
  const points = days.map((chats, index) => {
    const y = height - rim - (chats / most) * (height - 2 * rim);
    return `${(rim + index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const last = points.at(-1)?.split(",") ?? [];
  return (
    <svg
      class="chats-line"
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <polygon class="chats-line-area" points={`${rim},${height} ${points.join(" ")} ${width - rim},${height}`} />
      <polyline class="chats-line-line" points={points.join(" ")} />
      <circle class="chats-line-today" cx={last[0]} cy={last[1]} r="2.5" />
    </svg>
  );
}
