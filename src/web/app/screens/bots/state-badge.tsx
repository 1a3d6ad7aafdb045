import { Badge, type Tone } from "../../ui/index.ts";
import { useWords, type Words } from "../../words/index.ts";
import type { BotSummary } from "./bots.ts";

type Look = { readonly tone: Tone; readonly icon: string; readonly label: (words: Words) => string };

const looks: { readonly [State in BotSummary["state"]]: Look } = {
  draft: { tone: "neutral", icon: "circle-dashed", label: (words) => words.stateDraft },
  live: { tone: "good", icon: "circle-check", label: (words) => words.stateLive },
  changed: { tone: "accent", icon: "pencil", label: (words) => words.stateChanged },
  closed: { tone: "neutral", icon: "lock", label: (words) => words.stateClosed },
  trouble: { tone: "danger", icon: "triangle-alert", label: (words) => words.stateTrouble },
};

/** The state of a bot as text, icon and colour. */
export function StateBadge({ bot }: { readonly bot: BotSummary }) {
  const words = useWords();
  if (bot.isArchived) return <Badge label={words.stateArchived} icon="archive" />;
  const { tone, icon, label } = looks[bot.state];
  return (
    <span title={bot.state === "trouble" ? words.stateTroubleHint({ count: bot.errorCount }) : undefined}>
      <Badge label={label(words)} tone={tone} icon={icon} />
    </span>
  );
}
