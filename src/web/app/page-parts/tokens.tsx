import { useState } from "preact/hooks";
import { type Answer, call, refresh, useAll } from "../api/index.ts";
import { me } from "../session/session.ts";
import { Badge, Button, ConfirmDialog, EmptyState, Select, type SelectOption } from "../ui/index.ts";
import { useWords, type Words } from "../words/index.ts";
import { NameDialog } from "./form-dialog.tsx";
import { ListTable, type ListTableProps, When } from "./lists.tsx";
import { SecretDialog } from "./secret.tsx";
import { Part } from "./sections.tsx";

type Token = Answer<"GET /api/v1/users/me/api-tokens">["apiTokens"][number];

/** The person's own tokens, either all of them or only those of one workspace. */
export function Tokens({ workspaceId }: { readonly workspaceId: string | undefined }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const query = useAll(
    `tokens/${workspaceId ?? "all"}`,
    (page) => call("GET /api/v1/users/me/api-tokens", { query: page }),
    ({ apiTokens }) => apiTokens.filter((token) => workspaceId === undefined || token.workspaceId === workspaceId),
  );
  const revoke = async (token: Token) => {
    await call("DELETE /api/v1/users/me/api-tokens/:tokenId", { path: { tokenId: token.id } });
    await refresh("tokens");
  };
  return (
    <Part
      title={words.tokens}
      text={words.noTokensText}
      action={<Button label={words.newToken} icon="plus" onPress={() => setMaking(true)} />}
    >
      <TokenTable
        query={query}
        bars={5}
        label={words.tokens}
        empty={<EmptyState icon="key-round" title={words.noTokens} />}
        onRevoke={setRevoking}
      />
      {isMaking && <NewToken workspaceId={workspaceId} onClose={() => setMaking(false)} />}
      {revoking && (
        <ConfirmDialog
          title={words.revokeTitle({ name: revoking.name })}
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

type ListedToken = Pick<Token, "id" | "name" | "scope" | "lastUsedAt" | "madeBy">;
type TokenTableProps<Listed> = Pick<ListTableProps<Listed>, "query" | "label" | "bars" | "empty"> & {
  readonly onRevoke: (token: Listed) => void;
};

/**
 * A table of tokens with their names, rights, last use, and a button to revoke them. The token values are not shown.
 */
export function TokenTable<Listed extends ListedToken>({ onRevoke, ...list }: TokenTableProps<Listed>) {
  const words = useWords();
  const scopes = { read: words.scopeRead, write: words.scopeWrite, admin: words.scopeAdmin };
  return (
    <ListTable
      {...list}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "name",
          label: words.name,
          isMain: true,
          cell: (token) => (
            <>
              <span class="app-cell-text">{token.name}</span>
              {token.madeBy !== null && (
                <span class="app-cell-detail">{makerText(words, token.madeBy, list.query)}</span>
              )}
            </>
          ),
        },
        { id: "scope", label: words.tokenScope, from: "medium", cell: ({ scope }) => <Badge label={scopes[scope]} /> },
        { id: "used", label: words.tokenLastUsed, from: "medium", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
      ]}
      acts={(token) => <Button label={words.revoke} size="s" onPress={() => onRevoke(token)} />}
    />
  );
}

function makerText(words: Words, makerId: string, { value }: ListTableProps<ListedToken>["query"]): string {
  const maker = value?.find(({ id }) => id === makerId);
  return maker ? words.tokenMadeBy({ name: maker.name }) : words.tokenMadeByOther;
}

type NewTokenProps = { readonly workspaceId: string | undefined; readonly onClose: () => void };

function NewToken({ workspaceId, onClose }: NewTokenProps) {
  const words = useWords();
  const [scope, setScope] = useState<Token["scope"]>("write");
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>();
  const options: readonly SelectOption<Token["scope"]>[] = [
    { value: "read", label: words.scopeRead },
    { value: "write", label: words.scopeWrite },
    ...(me.value?.isAdministrator && workspaceId === undefined
      ? [{ value: "admin" as const, label: words.scopeAdmin }]
      : []),
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
        onChange={setScope}
      />
    </NameDialog>
  );
}
