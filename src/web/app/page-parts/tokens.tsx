import { useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../api/index.ts";
import { me } from "../session/session.ts";
import { allPages } from "../session/workspaces.ts";
import { Badge, Button, ConfirmDialog, EmptyState, Select, Table } from "../ui/index.ts";
import { timeText, useWords, whenText } from "../words/index.ts";
import { NameDialog } from "./form-dialog.tsx";
import { SecretDialog } from "./secret.tsx";
import { Part } from "./sections.tsx";
import { QueryState } from "./states.tsx";

type Token = Answer<"GET /api/v1/users/me/api-tokens">["apiTokens"][number];

/** One's tokens: all of them, or those that count in one workspace alone. */
export function Tokens({ workspaceId }: { readonly workspaceId: string | undefined }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const query = useQuery("tokens", () =>
    allPages(async (cursor) => {
      const { apiTokens, nextCursor } = await call("GET /api/v1/users/me/api-tokens", {
        query: { limit: 100, cursor },
      });
      return { entries: apiTokens, nextCursor };
    }),
  );
  const revoke = async (token: Token) => {
    await call("DELETE /api/v1/users/me/api-tokens/:tokenId", { path: { tokenId: token.id } });
    await refresh("tokens");
  };
  return (
    <Part
      title={words.tokens}
      text={words.noTokensText}
      action={
        <Button icon="plus" onPress={() => setMaking(true)}>
          {words.newToken}
        </Button>
      }
    >
      <QueryState query={query} onRetry={() => refresh("tokens")}>
        {(tokens) => {
          const shown = tokens.filter((token) => workspaceId === undefined || token.workspaceId === workspaceId);
          if (shown.length === 0) return <EmptyState icon="key-round" title={words.noTokens} />;
          return <TokenTable tokens={shown} onRevoke={setRevoking} />;
        }}
      </QueryState>
      {isMaking && <NewToken workspaceId={workspaceId} onClose={() => setMaking(false)} />}
      {revoking && (
        <ConfirmDialog
          title={words.revokeTitle(revoking.name)}
          text={words.revokeText}
          action={words.revoke}
          isDanger
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Part>
  );
}

function TokenTable({
  tokens,
  onRevoke,
}: {
  readonly tokens: readonly Token[];
  readonly onRevoke: (token: Token) => void;
}) {
  const words = useWords();
  const scopes = { read: words.scopeRead, write: words.scopeWrite, admin: words.scopeAdmin };
  return (
    <Table
      label={words.tokens}
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        { id: "name", label: words.name, isMain: true, cell: ({ name }) => <span class="app-cell-text">{name}</span> },
        { id: "scope", label: words.tokenScope, from: "medium", cell: ({ scope }) => <Badge>{scopes[scope]}</Badge> },
        {
          id: "used",
          label: words.tokenLastUsed,
          from: "medium",
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? words.never : <span title={timeText(lastUsedAt)}>{whenText(lastUsedAt)}</span>,
        },
        {
          id: "revoke",
          label: words.revoke,
          isHeadHidden: true,
          align: "end",
          cell: (token) => (
            <Button size="s" onPress={() => onRevoke(token)}>
              {words.revoke}
            </Button>
          ),
        },
      ]}
    />
  );
}

function NewToken({
  workspaceId,
  onClose,
}: {
  readonly workspaceId: string | undefined;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const [scope, setScope] = useState<Token["scope"]>("write");
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>();
  const options = [
    { value: "read", label: words.scopeRead },
    { value: "write", label: words.scopeWrite },
    ...(me.value?.isAdministrator && workspaceId === undefined ? [{ value: "admin", label: words.scopeAdmin }] : []),
  ];
  const make = async (name: string) => {
    const body = { name, scope, workspaceId: workspaceId ?? null };
    setMade((await call("POST /api/v1/users/me/api-tokens", { body })).apiToken);
    await refresh("tokens");
  };
  if (made) return <SecretDialog title={made.name} text={words.tokenShown} value={made.token} onClose={onClose} />;
  return (
    <NameDialog title={words.newToken} label={words.tokenName} action={words.create} send={make} onClose={onClose}>
      <Select
        label={words.tokenScope}
        help={workspaceId === undefined ? undefined : words.tokenOnlyHere}
        value={scope}
        options={options}
        onChange={(value) => setScope(value === "read" || value === "admin" ? value : "write")}
      />
    </NameDialog>
  );
}
