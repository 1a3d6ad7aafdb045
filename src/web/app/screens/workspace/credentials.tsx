import { useState } from "preact/hooks";
import { type Answer, ApiFailure, call, refresh, useQuery } from "../../api/index.ts";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { sentenceOf } from "../../page-parts/submit.ts";
import { allPages } from "../../session/workspaces.ts";
import {
  Badge,
  Banner,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  Menu,
  type MenuItem,
  Table,
  toast,
} from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import { CredentialDialog } from "./credential-dialog.tsx";
import { type Credential, serviceName } from "./credential-kinds.ts";

type Trial = Answer<"POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test">["test"];
type Asking =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "delete"; readonly credential: Credential }
  | { readonly kind: "tried"; readonly credential: Credential; readonly trial: Trial };

const one = "/api/v1/workspaces/:workspaceId/credentials/:credentialsId";

/** The credentials that blocks need to call other services: their names and kinds, never their contents. */
export function Credentials({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const key = `credentials/${workspaceId}`;
  const query = useQuery(key, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/workspaces/:workspaceId/credentials", {
        path: { workspaceId },
        query: { limit: 100, cursor },
      });
      return { entries: answer.credentials, nextCursor: answer.nextCursor };
    }),
  );
  const pathOf = ({ id }: Credential) => ({ workspaceId, credentialsId: id });
  const tryOut = async (credential: Credential) => {
    try {
      const { test } = await call(`POST ${one}/test`, { path: pathOf(credential) });
      setAsking({ kind: "tried", credential, trial: test });
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      toast(sentenceOf(cause, words.tooManyTries));
    }
  };
  const remove = async (credential: Credential) => {
    await call(`DELETE ${one}`, { path: pathOf(credential) });
    await refresh(key);
  };
  const itemsOf = (credential: Credential): MenuItem[] => [
    { label: own.edit, icon: "pencil", onPress: () => setAsking({ kind: "edit", credential }) },
    { label: own.test, icon: "send", onPress: () => void tryOut(credential) },
    { kind: "line" },
    { label: own.delete, icon: "trash-2", isDanger: true, onPress: () => setAsking({ kind: "delete", credential }) },
  ];
  return (
    <Part
      title={words.credentials}
      text={own.credentialsText}
      action={
        <Button icon="plus" onPress={() => setAsking({ kind: "new" })}>
          {own.newCredentials}
        </Button>
      }
    >
      <QueryState query={query} onRetry={() => refresh(key)} rows={3}>
        {(credentials) =>
          credentials.length === 0 ? (
            <EmptyState icon="lock" title={words.noCredentials} text={own.noCredentialsText} />
          ) : (
            <Table
              label={words.credentials}
              rows={credentials}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "name",
                  label: words.name,
                  isMain: true,
                  cell: ({ name, type, isReadable }) => (
                    <span class="app-cell-text">
                      {name}{" "}
                      {!isReadable && (
                        <Badge tone="danger" icon="triangle-alert">
                          {own.unreadable}
                        </Badge>
                      )}
                      <span class="app-cell-detail">{serviceName(type, own)}</span>
                    </span>
                  ),
                },
                {
                  id: "used",
                  label: own.lastUsed,
                  from: "medium",
                  cell: ({ lastUsedAt }) =>
                    lastUsedAt === null ? own.never : <span title={timeText(lastUsedAt)}>{whenText(lastUsedAt)}</span>,
                },
                {
                  id: "more",
                  label: words.more,
                  isHeadHidden: true,
                  align: "end",
                  cell: (credential) => (
                    <Menu
                      isIconOnly
                      kind="quiet"
                      size="s"
                      label={words.moreOf(credential.name)}
                      items={() => itemsOf(credential)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {(asking?.kind === "new" || asking?.kind === "edit") && (
        <CredentialDialog
          workspaceId={workspaceId}
          credential={asking.kind === "edit" ? asking.credential : undefined}
          onSaved={() => refresh(key)}
          onClose={close}
        />
      )}
      {asking?.kind === "tried" && (
        <Dialog
          title={own.testTitle(asking.credential.name)}
          size="s"
          onClose={close}
          actions={<Button onPress={close}>{words.done}</Button>}
        >
          <Banner
            tone={asking.trial.isAccepted ? "good" : "warning"}
            title={asking.trial.isAccepted ? own.accepted : own.refused}
          >
            {asking.trial.message}
          </Banner>
        </Dialog>
      )}
      {asking?.kind === "delete" && (
        <ConfirmDialog
          title={own.deleteTitle(asking.credential.name)}
          text={own.deleteCredentialsText}
          action={own.delete}
          isDanger
          typed={asking.credential.name}
          onConfirm={() => remove(asking.credential)}
          onClose={close}
        />
      )}
    </Part>
  );
}
