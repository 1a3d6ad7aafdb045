import insightWords from "../words/en/insight.json";
import { numberText, timeText, useWords } from "../words/index.ts";
import { besideText } from "./beside.ts";
import { changeText, percentText } from "./texts.ts";
import "./figures.css";

export type Figure = {
  readonly name: string;
  /** The total of which the value is a share. */
  readonly note?: string;
  readonly help: string;
  readonly value: number | null | undefined;
  /** The value in the previous period; absent if there is none. */
  readonly before?: number | null | undefined;
  /** The values of the compared versions: null if a version has no value, undefined while it is loading. */
  readonly versions?: readonly { readonly number: number; readonly value: number | null | undefined }[];
  readonly how?: "share" | ((value: number) => string);
};

/** Key figures with the values of the previous period or of other versions. */
export function Figures({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) {
  return (
    <section aria-label={label}>
      <dl class="insight-figures">
        {figures.map((figure) => (
          <FigureCard key={figure.name} {...figure} />
        ))}
      </dl>
    </section>
  );
}

function FigureCard({ name, note, help, value, before, versions = [], how = numberText }: Figure) {
  const words = useWords(insightWords);
  const text = (one: number) => (how === "share" ? percentText(one) : how(one));
  const isKnown = typeof value === "number";
  const isBeforeKnown = typeof before === "number";
  // The relative change of a share is not shown, because a percentage of a percentage is misleading.
  const change = isKnown && isBeforeKnown && how !== "share" ? changeText(value, before) : undefined;
  return (
    <div class="insight-figure">
      <dt title={help}>
        {name}
        {note !== undefined && <span class="insight-note"> {note}</span>}
      </dt>
      <dd>
        <span class="insight-number">{isKnown ? text(value) : "–"}</span>
        {isBeforeKnown && (
          <span class="insight-muted">
            {value === before ? words.same : words.before({ value: text(before) })}
            {change !== undefined && value !== before && <b>{change}</b>}
          </span>
        )}
        {versions.map((version) => (
          <span key={version.number} class="insight-muted">
            {besideText(words, version.number, version.value === null ? "–" : mapped(version.value, text))}
          </span>
        ))}
      </dd>
    </div>
  );
}

function mapped(value: number | undefined, text: (one: number) => string): string | undefined {
  return value === undefined ? undefined : text(value);
}

/** The time up to which all chats are counted. */
export function AsOf({ asOf }: { readonly asOf: string | null }) {
  const words = useWords(insightWords);
  return <p class="insight-muted">{asOf === null ? words.notCounted : words.asOf({ time: timeText(asOf) })}</p>;
}
