import { timeText, useWords } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";
import type { WholeResult } from "./service.ts";

/** The visitor's ratings of models' answers in a result, with their words. */
export function RatingFacts({ ratings = [] }: { readonly ratings?: WholeResult["result"]["ratings"] }) {
  const words = useWords(resultWords);
  if (ratings.length === 0) return null;
  return (
    <>
      <h3>{words.ratings}</h3>
      <dl class="results-facts">
        {ratings.map(({ sessionId, revision, blockId, isGood, words: said, ratedAt }) => (
          <div key={`${sessionId} ${revision} ${blockId}`}>
            <dt>{timeText(ratedAt)}</dt>
            <dd dir="auto">{[isGood ? words.ratedGood : words.ratedBad, said].filter(Boolean).join(": ")}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
