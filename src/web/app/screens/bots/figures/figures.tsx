import { useState } from "preact/hooks";
import { call, useQuery } from "../../../api/index.ts";
import { Icon, later } from "../../../ui/index.ts";
import dashboardWords from "../../../words/en/dashboard.json";
import { numberText, useWords } from "../../../words/index.ts";
import { type Figure, rateOf } from "./week.ts";
import "./figures.css";

const FiguresDialog = later(async () => (await import("./figures-dialog.tsx")).FiguresDialog);

/**
 * Shows the workspace's figures of the last week compared with the week before. Each figure opens the list of bots that
 * contribute to it.
 */
export function Figures({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(dashboardWords);
  const [opened, setOpened] = useState<Figure>();
  const { value: figures, failure } = useQuery(`figures/${workspaceId}`, async () => {
    const answer = await call("GET /api/v1/workspaces/:workspaceId/figures", { path: { workspaceId } });
    return answer.figures;
  });
  // If the figures cannot be loaded, the list of bots is shown without them.
  if (failure && !figures) return null;
  const { lastWeek: now, weekBefore: before } = figures ?? {};
  const shown = [
    {
      figure: "chats",
      label: words.figureChats,
      value: now && numberText(now.starts),
      before: before && words.chatsBefore({ count: before.starts }),
      change: now && before && now.starts - before.starts,
    },
    {
      figure: "completion",
      label: words.figureCompletion,
      value: now && (now.starts === 0 ? "–" : words.percent({ percent: rateOf(now) })),
      before:
        before && (before.starts === 0 ? words.noChatsBefore : words.completionBefore({ percent: rateOf(before) })),
      change: now && before && now.starts > 0 && before.starts > 0 ? rateOf(now) - rateOf(before) : undefined,
    },
    {
      figure: "failing",
      label: words.figureFailing,
      value: now && numberText(now.failingBots),
      before: before && words.failingBefore({ count: before.failingBots }),
      change: now && before && now.failingBots - before.failingBots,
    },
  ] as const;
  return (
    <>
      <ul class="figures" aria-label={words.figures}>
        {shown.map(({ figure, label, value, before: earlier, change }) => (
          <li key={figure}>
            <button
              type="button"
              class={`figure ${figure === "failing" && now && now.failingBots > 0 ? "is-trouble" : ""}`}
              disabled={!figures}
              aria-haspopup="dialog"
              onClick={() => setOpened(figure)}
            >
              <span class="figure-label">{label}</span>
              <span class="figure-value">{value ?? "\u00a0"}</span>
              <span class="figure-before">
                {change !== undefined && change !== 0 && (
                  <Icon name={change > 0 ? "arrow-up" : "arrow-down"} size={14} />
                )}
                {earlier ?? "\u00a0"}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {opened && figures && <FiguresDialog figures={figures} figure={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
