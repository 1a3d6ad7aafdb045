import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Column, Table } from "../ui/index.ts";
import insightWords from "../words/en/insight.json";
import { numberText, useWords } from "../words/index.ts";
import { linePath, xOf } from "./bars.tsx";
import "./charts.css";
import "./figures.css";

export type ChartLine = { readonly id: "opened" | "answered" | "completed"; readonly name: string };
export type ChartPoint = {
  readonly key: string;
  readonly name: string;
  readonly values: readonly number[];
  readonly text: string;
};

export type LineChartProps = {
  readonly title: string;
  /** A summary of the chart in one sentence. */
  readonly summary: ComponentChildren;
  readonly lines: readonly ChartLine[];
  readonly points: readonly ChartPoint[];
};

const height = 100;

/**
 * A line chart over time with a legend, a summary in words, and a table. The pointer and the arrow keys move between
 * points, whose values are displayed and announced (the slider pattern).
 */
export function LineChart({ title, summary, lines, points }: LineChartProps) {
  const words = useWords(insightWords);
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const most = niceMost(Math.max(1, ...points.flatMap(({ values }) => values)));
  const at = Math.min(chosen ?? last, last);
  const point = points[at];
  const move = (event: KeyboardEvent) => {
    const next = nextOf(event.key, at, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  const follow = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.round(((event.clientX - left) / width) * last))));
  };
  const slider = {
    ...{ role: "slider" as const, tabIndex: 0, "aria-label": title, "aria-valuetext": point?.text ?? "" },
    ...{ "aria-valuemin": 0, "aria-valuemax": Math.max(0, last), "aria-valuenow": Math.max(0, at) },
    ...{ onKeyDown: move, onPointerMove: follow, onPointerDown: follow },
    onPointerLeave: () => setChosen(undefined),
  };
  const columns: readonly Column<ChartPoint>[] = [
    { id: "when", label: words.when, isMain: true, cell: ({ name }) => name },
    ...lines.map(({ id, name }, index) => ({
      ...{ id, label: name, align: "end" as const },
      cell: ({ values }: ChartPoint) => numberText(values[index] ?? 0),
    })),
  ];
  return (
    <figure class="insight-chart">
      <figcaption>
        <h2>{title}</h2>
        <p class="insight-muted">{summary}</p>
      </figcaption>
      <ul class="insight-legend">
        {lines.map(({ id, name }) => (
          <li key={id}>
            <svg class={`insight-line is-${id}`} width="24" height="8" aria-hidden="true">
              <path d="M0 4H24" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div class="insight-plot">
        <div class="insight-scale" aria-hidden="true">
          <span>{numberText(most)}</span>
          <span>{numberText(most / 2)}</span>
          <span>0</span>
        </div>
        <div class="insight-ground" {...slider}>
          <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <path class="insight-grid" d={`M0 0H100M0 ${height / 2}H100M0 ${height}H100`} />
            {lines.map(({ id }, index) => (
              <path
                key={id}
                class={`insight-line is-${id}`}
                d={linePath(
                  points.map(({ values }) => values[index] ?? 0),
                  most,
                  height,
                )}
              />
            ))}
          </svg>
          {point && (
            <>
              <span class="insight-cursor" style={{ insetInlineStart: `${xOf(at, points.length)}%` }} />
              <span
                class={`insight-values ${at > last / 2 ? "is-before" : ""}`}
                style={{ insetInlineStart: `${xOf(at, points.length)}%` }}
              >
                <strong>{point.name}</strong>
                {lines.map(({ id, name }, index) => (
                  <span key={id}>
                    {name} <b>{numberText(point.values[index] ?? 0)}</b>
                  </span>
                ))}
              </span>
            </>
          )}
        </div>
        <div class="insight-axis" aria-hidden="true">
          {namesBelow(points).map((name, index) => (
            <span key={index}>{name}</span>
          ))}
        </div>
      </div>
      <details class="insight-details">
        <summary>{words.asTable}</summary>
        <Table label={title} columns={columns} rows={points} keyOf={({ key }) => key} />
      </details>
    </figure>
  );
}

/** Returns the labels below the chart: only the first, the middle and the last label fit. */
function namesBelow(points: readonly ChartPoint[]): readonly string[] {
  const wanted = points.length < 3 ? points : [points[0], points[Math.floor((points.length - 1) / 2)], points.at(-1)];
  return wanted.map((point) => point?.name ?? "");
}

function nextOf(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, at - 1);
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, at + 1);
    case "PageDown":
      return Math.max(0, at - 7);
    case "PageUp":
      return Math.min(last, at + 7);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

/**
 * Returns the top of the scale: the smallest of the numbers 2, 4, 6, 10, 20, 40, 60, 100 and so on that is at least
 * `most`.
 */
function niceMost(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [2, 4, 6, 10].find((times) => times * power >= most) ?? 10;
  return Math.max(2, step * power);
}
