import { FlaskConical } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { addIcons, announce, Banner, Button, ConfirmDialog, EmptyState } from "../../ui/index.ts";
import testsWords from "../../words/en/tests.json";
import { timeText, useWords } from "../../words/index.ts";
import { CoveragePart } from "./coverage.tsx";
import { TestRow } from "./row.tsx";
import {
  deleteTest,
  keyOf,
  type ListedTest,
  type Outcome,
  type Proof,
  readTests,
  runTests,
  type TestList,
} from "./service.ts";
import "./tests.css";

addIcons({ "flask-conical": FlaskConical });

/** Shows the test conversations of a bot, with the differences for each failing test. */
export default function TestsScreen({ params }: ScreenProps) {
  const { botId = "" } = params;
  return (
    <BotFrame botId={botId} part="tests">
      <Tests key={botId} botId={botId} />
    </BotFrame>
  );
}

function Tests({ botId }: { readonly botId: string }) {
  const words = useWords(testsWords);
  const query = useQuery(keyOf(botId), () => readTests(botId));
  return (
    <div class="tests">
      <header class="tests-head">
        <h1>{words.title}</h1>
        <p>{words.intro}</p>
      </header>
      <QueryState query={query}>
        {(list) =>
          list.tests.length === 0 ? (
            <EmptyState drawing={<EmptyDrawing of="tests" />} title={words.none} text={words.noneText}>
              <Button label={words.toPreview} kind="primary" icon="play" onPress={() => go(`/bots/${botId}/preview`)} />
            </EmptyState>
          ) : (
            <TestListPart botId={botId} list={list} />
          )
        }
      </QueryState>
    </div>
  );
}

type Ran = {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Whether the last run included all tests. */
  readonly isWhole: boolean;
  /** The last run of all tests. */
  readonly whole: { readonly proof: Proof; readonly at: Date } | undefined;
};

function TestListPart({ botId, list }: { readonly botId: string; readonly list: TestList }) {
  const words = useWords(testsWords);
  const [ran, setRan] = useState<Ran>({ outcomes: new Map(), isWhole: false, whole: undefined });
  const [busy, setBusy] = useState<string | true>();
  const [failure, setFailure] = useState<string>();
  const [deleting, setDeleting] = useState<ListedTest>();
  const { tests, bot, mayWrite } = list;
  const run = async (name?: string): Promise<void> => {
    if (busy !== undefined) return;
    setBusy(name ?? true);
    setFailure(undefined);
    try {
      const proof = await runTests(botId, name === undefined ? undefined : [name]);
      const outcomes = new Map([
        ...(name === undefined ? [] : ran.outcomes),
        ...proof.outcomes.map((outcome) => [outcome.name, outcome] as const),
      ]);
      const isWhole = name === undefined;
      setRan({ outcomes, isWhole, whole: isWhole ? { proof, at: new Date() } : ran.whole });
      const failed = proof.outcomes.filter(({ hasPassed }) => !hasPassed).length;
      announce(failed === 0 ? words.allPassed : words.failedOf({ count: failed, all: proof.outcomes.length }));
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const said: Readonly<Record<string, string>> = words.failures;
      setFailure(said[error.code] ?? error.message);
    } finally {
      setBusy(undefined);
    }
  };
  // When failing tests have blocked a publication, the author is sent here with a parameter that runs the tests. The
  // parameter is removed, so that a reload does not run them again.
  const isWanted = route.value.query.has("run");
  useEffect(() => {
    if (!isWanted) return;
    go(`/bots/${botId}/tests`, { isReplacing: true });
    void run();
  }, [isWanted]);
  const { whole } = ran;
  const failed = whole?.proof.outcomes.filter(({ hasPassed }) => !hasPassed).length ?? 0;
  return (
    <>
      <div class="tests-tools">
        <Button label={words.runAll} kind="primary" icon="play" busy={busy === true} onPress={() => void run()} />
        {whole && ran.isWhole && (
          <p class="tests-note">
            {failed === 0 ? words.allPassed : words.failedOf({ count: failed, all: whole.proof.outcomes.length })}{" "}
            {words.ranAt({ time: timeText(whole.at) })}
          </p>
        )}
      </div>
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      <ul class="tests-list">
        {tests.map((test) => (
          <TestRow
            key={test.name}
            {...{ botId, test, mayWrite }}
            outcome={ran.outcomes.get(test.name)}
            isBusy={busy === test.name}
            isDisabled={busy !== undefined}
            onRun={() => void run(test.name)}
            onDelete={() => setDeleting(test)}
          />
        ))}
      </ul>
      {whole && <CoveragePart botId={botId} bot={bot} coverage={whole.proof.coverage} />}
      {deleting && (
        <ConfirmDialog
          title={words.deleteTitle({ title: deleting.title })}
          text={words.deleteText}
          action={words.remove}
          isDanger
          onConfirm={() => deleteTest(botId, deleting.name)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
