import { Bar } from "../../insight/bars.tsx";
import { type Beside, besideText, openingIn, passingIn } from "../../insight/beside.ts";
import { type Drop, dropsOf, type Insight, type Passing, shareOf } from "../../insight/rates.ts";
import { percentText } from "../../insight/texts.ts";
import { flowAddress, resultsAddress, type Window } from "../../insight/window.ts";
import { Link } from "../../routing/router.ts";
import insightWords from "../../words/en/insight.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import type { Names } from "./names.ts";

type DropsProps = {
  readonly botId: string;
  readonly window: Window;
  readonly insight: Insight;
  readonly names: Names;
  readonly beside: readonly Beside[];
};

/** Lists the points at which most chats end, with links to the block and to these chats. */
export function Drops({ botId, window, insight, names, beside }: DropsProps) {
  const words = useWords(insightWords);
  const drops = dropsOf(insight);
  return (
    <section class="insight-card">
      <h2>{words.drops}</h2>
      {drops.length === 0 && <p class="insight-muted">{words.dropsNone}</p>}
      <ol class="insight-drops">
        {drops.map((drop) => {
          const { block, reached, left } = drop;
          const name = block ? names(block) : words.openingDrop;
          const share = shareOf(left, reached);
          const filters = block ? { leftAt: block.blockId, state: "open" } : { state: "silent" };
          return (
            <li key={block?.blockId ?? ""}>
              <h3 dir="auto">{name}</h3>
              <Bar share={share} tone="decides" />
              <p class="insight-muted">{dropText(words, block, drop)}</p>
              {beside.map((one) => (
                <p key={one.number} class="insight-muted">
                  {versionText(words, block, one)}
                </p>
              ))}
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

type Words = WordsOf<"insight">;
type Block = Drop["block"];

function dropText(words: Words, block: Block, { left, reached }: Pick<Passing, "left" | "reached">): string {
  const share = percentText(shareOf(left, reached));
  return (block ? words.dropText : words.openingText)({ left, reached, share });
}

/** Returns a text about the chats that ended at the same point in a compared version. */
function versionText(words: Words, block: Block, beside: Beside): string {
  const { number } = beside;
  const passing = block ? passingIn(beside, block.blockId) : openingIn(beside);
  if (passing === null) return words.notInVersion({ number });
  return besideText(words, number, passing && dropText(words, block, passing));
}
