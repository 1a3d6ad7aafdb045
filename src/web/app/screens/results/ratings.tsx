import resultWords from "../../words/en/result.json";
import { timeText, useWords } from "../../words/index.ts";
import type { Filter } from "./filter.ts";
import type { WholeResult } from "./service.ts";
import { isCounted, useInsight } from "./use-insight.ts";

type CountProps = { readonly botId: string; readonly filter: Filter };

/**
 * Shows how visitors rated answers of language models, in total and by block. Hidden if the results are filtered by
 * anything other than time and version, because no counts are available then.
 */
export function RatingCounts(props: CountProps) {
  return isCounted(props.filter) ? <KnownCounts {...props} /> : null;
}

function KnownCounts({ botId, filter }: CountProps) {
  const words = useWords(resultWords);
  const { blocks = [] } = useInsight(botId, filter) ?? {};
  const rated = blocks.filter(({ good, bad }) => good + bad > 0);
  if (rated.length === 0) return null;
  const sum = (of: "good" | "bad") => rated.reduce((total, block) => total + block[of], 0);
  return (
    <details class="results-rated">
      <summary class="results-muted">{words.ratingCounts({ good: sum("good"), bad: sum("bad") })}</summary>
      <dl class="results-facts">
        {rated.map(({ blockId, groupTitle, good, bad }) => (
          <div key={blockId}>
            <dt dir="auto">{groupTitle ?? words.ratedGone}</dt>
            <dd>{words.ratingCounts({ good, bad })}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Lists the visitor's ratings in a result, with the visitor's comments. */
export function RatingFacts({ ratings = [] }: { readonly ratings?: WholeResult["result"]["ratings"] }) {
  const words = useWords(resultWords);
  if (ratings.length === 0) return null;
  return (
    <>
      <h3>{words.ratings}</h3>
      <dl class="results-facts">
        {ratings.map(({ sessionId, revision, blockId, isGood, words: said, ratedAt, isLinked }) => (
          <div key={`${sessionId} ${revision} ${blockId}`}>
            <dt>{timeText(ratedAt)}</dt>
            <dd dir="auto">{[isGood ? words.ratedGood : words.ratedBad, said].filter(Boolean).join(": ")}</dd>
            {isLinked && <dd class="results-muted">{words.isLinked}</dd>}
          </div>
        ))}
      </dl>
    </>
  );
}
