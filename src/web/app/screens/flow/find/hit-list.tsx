import type { Hit } from "../../../../../core/editing/references/search.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { Icon } from "../../../ui/index.ts";
import { findWords } from "../../../words/flow-find.ts";
import { useWords } from "../../../words/index.ts";
import { placeOfHit, screenOf } from "./places.ts";
import type { Known } from "./words-of.ts";

export type HitListProps = {
  readonly bot: OpenBot;
  readonly hits: readonly Hit[];
  readonly count: number;
  /** The one that is shown. */
  readonly at: number;
  readonly known: Known;
  /** One is pressed: its target is shown, also on another screen. */
  readonly onGo: (index: number) => void;
};

/** So many are drawn, around the one that is shown. */
const mostShown = 50;

/** The places, each with the text around it. */
export function HitList({ bot, hits, count, at, known, onGo }: HitListProps) {
  const words = useWords(findWords);
  const from = Math.max(0, Math.min(at - mostShown / 2, hits.length - mostShown));
  const shown = hits.slice(from, from + mostShown);
  const left = count - from - shown.length;
  return (
    <ol class="find-hits" aria-label={words.list} start={from + 1}>
      {shown.map((hit, index) => (
        <li key={from + index}>
          <button
            type="button"
            class="find-hit"
            aria-current={from + index === at ? "true" : undefined}
            ref={(element) => {
              if (from + index === at) element?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => onGo(from + index)}
          >
            <Excerpt hit={hit} />
            <span class="find-place">
              {hit.isName && <Icon name="braces" size={12} label={words.variableName} />}
              {placeOfHit(hit, bot.editor, known, words)}
              {screenOf(bot.id, hit.target, hit.text.path) !== undefined && <Icon name="arrow-right" size={12} />}
            </span>
          </button>
        </li>
      ))}
      {left > 0 && <li class="find-note">{words.more(left)}</li>}
    </ol>
  );
}

function Excerpt({ hit: { text, start, end } }: { readonly hit: Hit }) {
  const before = text.text.slice(Math.max(0, start - 28), start);
  const after = text.text.slice(end, end + 60);
  return (
    <span class={`find-excerpt ${text.isCode ? "is-code" : ""}`} dir="auto">
      {start > 28 && "…"}
      {before}
      <mark>{text.text.slice(start, end)}</mark>
      {after}
      {text.text.length > end + 60 && "…"}
    </span>
  );
}
