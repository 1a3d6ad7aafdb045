import { useState } from "preact/hooks";
import { Bar } from "../../insight/bars.tsx";
import { averageOf, type BlockInsight, type Insight, shareOf, valuesInOrder } from "../../insight/rates.ts";
import { percentText } from "../../insight/texts.ts";
import { Button, type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords } from "../../words/index.ts";
import type { Names } from "./names.ts";

type ChoicesProps = { readonly insight: Insight; readonly names: Names };

const firstQuestions = 6;
const furtherQuestions = 30;

/** The distribution of answers to questions with choices and to ratings. */
export function Choices({ insight, names }: ChoicesProps) {
  const words = useWords(insightWords);
  const [count, setCount] = useState(firstQuestions);
  const questions = insight.blocks.filter(({ values }) => values.length > 0);
  if (questions.length === 0) return null;
  return (
    <section class="insight-choices">
      <h2>{words.choices}</h2>
      <div class="insight-many">
        {questions.slice(0, count).map((block) => (
          <Choice key={block.blockId} block={block} name={names(block)} />
        ))}
      </div>
      {questions.length > count && (
        <Button
          label={
            questions.length > count + furtherQuestions ? words.showMore : words.showAll({ count: questions.length })
          }
          onPress={() => setCount(count + furtherQuestions)}
        />
      )}
    </section>
  );
}

type Value = BlockInsight["values"][number];

const firstValues = 8;
const furtherValues = 200;

function Choice({ block, name }: { readonly block: BlockInsight; readonly name: string }) {
  const words = useWords(insightWords);
  const [count, setCount] = useState(firstValues);
  const values = valuesInOrder(block.values);
  const average = averageOf(block);
  const columns: readonly Column<Value>[] = [
    {
      ...{ id: "value", label: words.choice, isMain: true },
      cell: ({ value, chats }) => (
        <span class="insight-question">
          <span class="insight-name" dir="auto" title={value ?? undefined}>
            {value ?? words.otherAnswer}
          </span>
          <Bar share={shareOf(chats, block.answered)} />
        </span>
      ),
    },
    { id: "chats", label: words.chats, align: "end", cell: ({ chats }) => numberText(chats) },
    {
      ...{ id: "share", label: words.share, align: "end" },
      cell: ({ chats }) => percentText(shareOf(chats, block.answered)),
    },
  ];
  return (
    <div class="insight-card">
      <h3 dir="auto">{name}</h3>
      {average !== undefined && (
        <p class="insight-muted">{words.average({ value: numberText(Math.round(average * 10) / 10) })}</p>
      )}
      <div class="insight-table">
        <Table
          label={words.choicesOf({ name })}
          columns={columns}
          rows={values.slice(0, count)}
          keyOf={({ value }) => (value === null ? "null" : `=${value}`)}
        />
      </div>
      {values.length > count && (
        <Button
          size="s"
          label={values.length > count + furtherValues ? words.showMore : words.showAll({ count: values.length })}
          onPress={() => setCount(count + furtherValues)}
        />
      )}
    </div>
  );
}
