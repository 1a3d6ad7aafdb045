import type { ComponentChildren } from "preact";
import { type ApiFailure, isRecord, type Query } from "../api/index.ts";
import { go } from "../routing/router.ts";
import { Button, EmptyState, Skeleton } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

export type QueryStateProps<Value> = {
  readonly query: Query<Value>;
  /** The number of grey bars while the content is loading. */
  readonly rows?: number;
  readonly children: (value: Value) => ComponentChildren;
};

/**
 * Shows the requested content, or its state: loading, refused or unreachable. Previous content stays visible while a
 * newer response is loading.
 */
export function QueryState<Value>({ query, rows = 5, children }: QueryStateProps<Value>) {
  if (query.value !== undefined) return <>{children(query.value)}</>;
  if (query.failure) return <FailureState failure={query.failure} onRetry={query.again} />;
  return <Skeleton rows={rows} />;
}

/**
 * Shows the reason why content cannot be shown. For status 401, only grey bars are shown, because the dialog to sign in
 * again is open.
 */
export function FailureState({ failure, onRetry }: { readonly failure: ApiFailure; readonly onRetry: () => unknown }) {
  const words = useWords();
  const retry = <Button label={words.tryAgain} icon="refresh-cw" onPress={() => void onRetry()} />;
  if (failure.code === "workspace.suspended") return <Suspended reason={reasonIn(failure.data)} />;
  switch (failure.status) {
    case 0:
      return (
        <EmptyState icon="cloud-off" title={words.offlineTitle} text={words.offlineText}>
          {retry}
        </EmptyState>
      );
    case 401:
      return <Skeleton rows={3} />;
    case 403:
      return <EmptyState icon="lock" title={words.forbiddenTitle} text={words.forbiddenText} />;
    case 404:
      return <NotFound />;
    case 429:
      return (
        <EmptyState
          icon="clock"
          title={words.failedTitle}
          text={words.tooManyTries({ seconds: failure.retryAfter ?? 10 })}
        >
          {retry}
        </EmptyState>
      );
    default:
      return (
        <EmptyState
          icon="triangle-alert"
          title={words.failedTitle}
          text={
            <>
              {failure.message}{" "}
              {failure.requestId !== undefined && <small>{words.requestId({ id: failure.requestId })}</small>}
            </>
          }
        >
          {retry}
        </EmptyState>
      );
  }
}

/** Shown if an object does not exist or this person may not see it. The two cases look identical. */
export function NotFound() {
  const words = useWords();
  return (
    <EmptyState icon="search" title={words.notFoundTitle} text={words.notFoundText}>
      <Button label={words.toYourBots} onPress={() => go("/")} />
    </EmptyState>
  );
}

export function Suspended({ reason }: { readonly reason: string | undefined }) {
  const words = useWords();
  return (
    <EmptyState
      icon="shield-alert"
      title={words.suspendedTitle}
      text={
        <>
          {words.suspendedText} {reason !== undefined && words.suspendedReason({ reason })}
        </>
      }
    />
  );
}

function reasonIn(data: unknown): string | undefined {
  const reason = isRecord(data) ? data["reason"] : undefined;
  return typeof reason === "string" ? reason : undefined;
}
