import { FlaskConical } from "lucide";
import { isRecord } from "../api/failure.ts";
import type { ApiFailure } from "../api/index.ts";
import { go } from "../routing/router.ts";
import { addIcons, Banner, Button } from "../ui/index.ts";
import testsWords from "../words/en/tests.json";
import { useWords } from "../words/index.ts";

addIcons({ "flask-conical": FlaskConical });

export type FailedTestsProps = {
  readonly botId: string;
  /** The `flow.tests_failed` error of the publication. */
  readonly failure: ApiFailure;
  readonly onLeave: () => void;
  readonly onForce: () => void;
};

/** Shows the required tests that blocked a publication. The author can look at the failures or publish despite them. */
export function FailedTests({ botId, failure, onLeave, onForce }: FailedTestsProps) {
  const words = useWords(testsWords);
  const titles = failedTitles(failure.data);
  const show = (): void => {
    onLeave();
    go(`/bots/${botId}/tests?run`);
  };
  return (
    <Banner
      tone="danger"
      isAlert
      title={words.stopped({ count: titles.length })}
      text={titles.map((title) => words.quoted({ title })).join(", ")}
      action={
        <>
          <Button label={words.showFailure} size="s" icon="flask-conical" onPress={show} />
          <Button label={words.publishAnyway} size="s" kind="quiet" onPress={onForce} />
        </>
      }
    />
  );
}

/** Returns the titles of the failed tests. */
export function failedTitles(data: unknown): readonly string[] {
  const failures = isRecord(data) ? data["failures"] : undefined;
  if (!Array.isArray(failures)) return [];
  return failures.flatMap((one: unknown) => {
    const title = isRecord(one) ? (one["title"] ?? one["name"]) : undefined;
    return typeof title === "string" ? [title] : [];
  });
}
