import { type ApiFailure, refresh } from "../../api/index.ts";
import { FailureState } from "../../page-parts/states.tsx";
import { go } from "../../routing/router.ts";
import { Button, EmptyState } from "../../ui/index.ts";
import versionWords from "../../words/en/version.json";
import { useWords } from "../../words/index.ts";
import { read } from "./names.ts";
import { keyOf } from "./service.ts";

export type MissingProps = {
  readonly botId: string;
  /** The name of the version in the URL. */
  readonly name: string;
  readonly failure: ApiFailure | undefined;
};

/**
 * Whether the content of a URL cannot be shown: the name is not that of a version, the version does not exist, or the
 * request failed.
 */
export function isMissing({ name, failure }: Pick<MissingProps, "name" | "failure">): boolean {
  return read(name) === undefined || failure !== undefined;
}

/** Shows which version is missing, with a link to all versions, or shows why the request failed. */
export function Missing({ botId, name, failure }: MissingProps) {
  const words = useWords(versionWords);
  const named = read(name);
  const isGone = failure?.code === "publication.not_found" || failure?.code === "revision.not_found";
  if (named !== undefined && failure && !isGone)
    return <FailureState failure={failure} onRetry={() => refresh(keyOf(botId))} />;
  const title =
    named?.kind === "version"
      ? words.noVersion({ number: named.number })
      : named?.kind === "moment"
        ? words.noMoment
        : words.noName({ name: name.slice(0, 40) });
  return (
    <EmptyState icon="search" title={title} text={words.noVersionText}>
      <Button label={words.back} kind="primary" onPress={() => go(`/bots/${botId}/versions`)} />
    </EmptyState>
  );
}
