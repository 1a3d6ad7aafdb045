import insightWords from "../words/en/insight.json";
import { useWords, type WordsOf } from "../words/index.ts";
import { LineChart } from "./line-chart.tsx";
import { pointTexts, type Step } from "./texts.ts";

type Point = { readonly from: string; readonly views: number; readonly starts: number; readonly completions: number };

type SeriesProps = { readonly step: Step; readonly points: readonly Point[]; readonly zone: string };

/** A chart of the opened, answered and completed chats over time. */
export function SeriesChart({ step, points, zone }: SeriesProps) {
  const words = useWords(insightWords);
  const names = pointTexts(points, step, zone).map((name) => (step === "week" ? words.weekOf({ day: name }) : name));
  return (
    <LineChart
      title={words.seriesOf[step]}
      summary={summaryOf(points, { words, names })}
      lines={[
        { id: "opened", name: words.opened },
        { id: "answered", name: words.answered },
        { id: "completed", name: words.completed },
      ]}
      points={points.map((point, index) => {
        const { views: opened, starts: answered, completions: completed } = point;
        const name = names[index] ?? "";
        const text = words.pointText({ when: name, opened, answered, completed });
        return { key: point.from, name, text, values: [opened, answered, completed] };
      })}
    />
  );
}

type Around = { readonly words: WordsOf<"insight">; readonly names: readonly string[] };

function summaryOf(points: readonly Point[], { words, names }: Around): string {
  const views = points.reduce((sum, point) => sum + point.views, 0);
  const most = Math.max(0, ...points.map((point) => point.views));
  const when = names[points.findIndex((point) => point.views === most)] ?? "";
  return words.seriesText({ views, when, most });
}
