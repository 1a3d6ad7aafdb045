import { useEffect, useState } from "preact/hooks";
import { ApiFailure, call } from "../../api/index.ts";
import { reportConnection } from "../../credentials/connection.ts";
import { sentenceOf } from "../../page-parts/submit.ts";
import { go, route } from "../../routing/router.ts";
import { Banner, Button, Skeleton } from "../../ui/index.ts";
import credentialsWords from "../../words/en/credentials.json";
import { useWords, type Words } from "../../words/index.ts";

type Outcome = { readonly problem?: string };

/**
 * The page to which Google redirects. The page completes the connection with its own request, because the sign-in is
 * valid only for requests from our pages. It then reports the outcome to the tab in which the connection began.
 */
export default function ConnectedAccount() {
  const words = useWords(credentialsWords);
  const shared = useWords();
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    const { query } = route.value;
    const state = query.get("state") ?? "";
    // Removes the code from the browser's history.
    go("/oauth/google", { isReplacing: true });
    finish(query, state, shared.tooManyTries).then(setOutcome);
  }, []);
  return (
    <main class="app-alone" id="main" tabIndex={-1}>
      <h1>{words.connectionTitle}</h1>
      {outcome === undefined ? (
        <Skeleton rows={2} />
      ) : outcome.problem === undefined ? (
        <Banner tone="good" text={words.connectionDone} isAlert />
      ) : (
        <Banner tone="warning" text={outcome.problem} isAlert />
      )}
      {outcome && <Button label={words.closeTab} onPress={() => window.close()} />}
    </main>
  );
}

async function finish(query: URLSearchParams, state: string, tooManyTries: Words["tooManyTries"]): Promise<Outcome> {
  const [code, error] = [query.get("code"), query.get("error")];
  const [workspaceId = ""] = state.split(".");
  try {
    const { credentials } = await call("POST /api/v1/workspaces/:workspaceId/credentials/google/finish", {
      path: { workspaceId },
      body: { state, ...(code !== null && { code }), ...(error !== null && { error }) },
    });
    reportConnection({ state, credentialsId: credentials.id });
    return {};
  } catch (cause) {
    if (!(cause instanceof ApiFailure)) throw cause;
    const problem = sentenceOf(cause, tooManyTries);
    reportConnection({ state, problem });
    return { problem };
  }
}
