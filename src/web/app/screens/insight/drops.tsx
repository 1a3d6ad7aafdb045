import { Bar } from "../../insight/bars.tsx";
import { dropsOf, type Insight, shareOf } from "../../insight/rates.ts";
import { percentText } from "../../insight/texts.ts";
import { flowAddress, resultsAddress, type Window } from "../../insight/window.ts";
import { Link } from "../../routing/router.ts";
import insightWords from "../../words/en/insight.json";
import { useWords } from "../../words/index.ts";
import type { Names } from "./names.ts";

type DropsProps = {
  readonly botId: string;
  readonly window: Window;
  readonly insight: Insight;
  readonly names: Names;
};

/** Where most chats end, with the ways to the block and to these chats. */
export function Drops({ botId, window, insight, names }: DropsProps) {
  const words = useWords(insightWords);
  const drops = dropsOf(insight);
  return (
    <section class="insight-card">
      <h2>{words.drops}</h2>
      {drops.length === 0 && <p class="insight-muted">{words.dropsNone}</p>}
      <ol class="insight-drops">
        {drops.map(({ block, reached, left }) => {
          const name = block ? names(block) : words.openingDrop;
          const share = shareOf(left, reached);
          const text = (block ? words.dropText : words.openingText)({ left, reached, share: percentText(share) });
          const filters = block ? { leftAt: block.blockId, state: "open" } : { state: "silent" };
          return (
            <li key={block?.blockId ?? ""}>
              <h3 dir="auto">{name}</h3>
              <Bar share={share} tone="decides" />
              <p class="insight-muted">{text}</p>
              <p class="insight-links">
                {typeof block?.groupId === "string" && (
                  <Link to={flowAddress(botId, window, block.blockId)} label={words.seeOnFlowOf({ name })}>
                    {words.seeOnFlow}
                  </Link>
                )}
                <Link to={resultsAddress(botId, window, filters)} label={words.seeChatsOf({ name })}>
                  {words.seeChats}
                </Link>
              </p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
