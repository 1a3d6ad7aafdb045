import insightWords from "../words/en/insight.json";
import { useWords, type WordsOf } from "../words/index.ts";
import { LineChart } from "./line-chart.tsx";
import { pointText, type Step } from "./texts.ts";

type Point = { readonly from: string; readonly views: number; readonly starts: number; readonly completions: number };

type SeriesProps = { readonly step: Step; readonly points: readonly Point[]; readonly zone: string };

/** Opened, answered and completed chats over time. */
export function SeriesChart({ step, points, zone }: SeriesProps) {
  const words = useWords(insightWords);
  const nameOf = ({ from }: Point) => {
    const name = pointText(from, step, zone);
    return step === "week" ? words.weekOf({ day: name }) : name;
  };
  return (
    <LineChart
      title={words.seriesOf[step]}
      summary={summaryOf(points, { words, nameOf })}
      lines={[
        { id: "opened", name: words.opened },
        { id: "answered", name: words.answered },
        { id: "completed", name: words.completed },
      ]}
      points={points.map((point) => {
        const { views: opened, starts: answered, completions: completed } = point;
        const name = nameOf(point);
        const text = words.pointText({ when: name, opened, answered, completed });
        return { key: point.from, name, text, values: [opened, answered, completed] };
      })}
    />
  );
}

type Around = { readonly words: WordsOf<"insight">; readonly nameOf: (point: Point) => string };

function summaryOf(points: readonly Point[], { words, nameOf }: Around): string {
  const views = points.reduce((sum, point) => sum + point.views, 0);
  const most = points.reduce<Point | undefined>(
    (best, point) => (best && best.views >= point.views ? best : point),
    undefined,
  );
  return words.seriesText({ views, when: most ? nameOf(most) : "", most: most?.views ?? 0 });
}
