import { useState } from "preact/hooks";
import { useQuery } from "../../api/index.ts";
import { QueryState } from "../../page-parts/states.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { Badge, Button, IconButton, Switch } from "../../ui/index.ts";
import testsWords from "../../words/en/tests.json";
import { useWords } from "../../words/index.ts";
import {
  comparedTexts,
  type ListedTest,
  type Outcome,
  type Problem,
  readTest,
  saidIn,
  setRequired,
  type Turn,
} from "./service.ts";

type TestRowProps = {
  readonly botId: string;
  readonly test: ListedTest;
  readonly mayWrite: boolean;
  readonly outcome: Outcome | undefined;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onRun: () => void;
  readonly onDelete: () => void;
};

/** A test with its last result. A failure is shown as a comparison, turn by turn. */
export function TestRow({ botId, test, mayWrite, outcome, isBusy, isDisabled, onRun, onDelete }: TestRowProps) {
  const words = useWords(testsWords);
  const [isSaving, setSaving] = useState(false);
  const { title, name, isRequired } = test;
  const require = (next: boolean): void => {
    setSaving(true);
    setRequired(botId, name, next)
      .catch(refusedToast)
      .finally(() => setSaving(false));
  };
  return (
    <li class="tests-row">
      <div class="tests-row-head">
        <div class="tests-row-words">
          <h2 dir="auto">{title}</h2>
          {outcome ? (
            <Badge
              label={outcome.hasPassed ? words.passed : words.failed}
              tone={outcome.hasPassed ? "good" : "danger"}
              icon={outcome.hasPassed ? "check" : "circle-alert"}
            />
          ) : (
            <Badge label={words.notRun} />
          )}
          {!mayWrite && isRequired && <Badge label={words.required} tone="accent" />}
        </div>
        <div class="tests-row-acts">
          {mayWrite && <Switch label={words.required} isChecked={isRequired} isBusy={isSaving} onChange={require} />}
          <Button
            label={words.run}
            size="s"
            icon="play"
            busy={isBusy}
            isDisabled={isDisabled && !isBusy}
            attributes={{ "aria-label": words.runOne({ title }) }}
            onPress={onRun}
          />
          {mayWrite && <IconButton icon="trash-2" size="s" label={words.removeOne({ title })} onPress={onDelete} />}
        </div>
      </div>
      {outcome && !outcome.hasPassed && <Comparison botId={botId} test={test} problems={outcome.problems} />}
    </li>
  );
}

type ComparisonProps = { readonly botId: string; readonly test: ListedTest; readonly problems: readonly Problem[] };

function Comparison({ botId, test: { name, updatedAt }, problems }: ComparisonProps) {
  const query = useQuery(`whole-test/${botId}/${name}/${updatedAt}`, () => readTest(botId, name));
  return (
    <QueryState query={query} rows={3}>
      {({ conversation }) => (
        <ol class="tests-turns">
          {conversation.turns.map((turn, index) => (
            <TurnPart
              key={index}
              turn={turn}
              number={index + 1}
              problems={problems.filter((problem) => problem.turn === index + 1)}
              isReached={
                index < Math.max(...problems.map((problem) => problem.turn)) || problems.every(({ part }) => part)
              }
            />
          ))}
        </ol>
      )}
    </QueryState>
  );
}

type TurnProps = {
  readonly turn: Turn;
  readonly number: number;
  readonly problems: readonly Problem[];
  readonly isReached: boolean;
};

function TurnPart({ turn, number, problems, isReached }: TurnProps) {
  const words = useWords(testsWords);
  const parts: Readonly<Record<string, string>> = words.parts;
  const said = saidIn(turn);
  const head =
    number === 1
      ? words.start
      : said !== undefined
        ? words.says({ text: said })
        : turn.passes !== undefined
          ? words.passes({ time: turn.passes })
          : words.turn({ number });
  return (
    <li class={problems.length > 0 ? "is-failed" : ""}>
      <h3 dir="auto">{head}</h3>
      {problems.length === 0 ? (
        <p class="tests-note">{isReached ? words.asExpected : words.notReached}</p>
      ) : (
        problems.map((problem, index) =>
          problem.part === undefined ? (
            <p key={index} class="tests-problem">
              {problem.message}
            </p>
          ) : (
            <Difference key={index} problem={problem} label={parts[problem.part] ?? problem.part} />
          ),
        )
      )}
    </li>
  );
}

function Difference({ problem, label }: { readonly problem: Problem; readonly label: string }) {
  const words = useWords(testsWords);
  const { expected, actual } = comparedTexts(problem);
  return (
    <>
      <p class="tests-note">{label}</p>
      <dl class="tests-difference">
        <div>
          <dt>{words.expected}</dt>
          <dd dir="auto">{expected}</dd>
        </div>
        <div>
          <dt>{words.got}</dt>
          <dd dir="auto">{actual}</dd>
        </div>
      </dl>
    </>
  );
}
