import { call, refresh, useQuery } from "../../api/index.ts";
import { QueryState } from "../../page-parts/states.tsx";
import { allPages } from "../../session/workspaces.ts";
import { Badge, Button, Dialog, Table } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { instanceWords } from "../../words/instance.ts";
import type { User } from "./user.ts";

/** A user's tokens, each of which can be revoked; none of them can be read. */
export function UserTokens({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const key = `user-tokens/${user.id}`;
  const path = { userId: user.id };
  const query = useQuery(key, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/users/:userId/api-tokens", { path, query: { limit: 100, cursor } });
      return { entries: answer.apiTokens, nextCursor: answer.nextCursor };
    }),
  );
  const revoke = async (tokenId: string) => {
    await call("DELETE /api/v1/users/:userId/api-tokens/:tokenId", { path: { ...path, tokenId } });
    await refresh(key);
  };
  return (
    <Dialog
      title={words.tokensOf(user.name)}
      onClose={onClose}
      actions={<Button onPress={onClose}>{shared.done}</Button>}
    >
      <QueryState query={query} onRetry={() => refresh(key)} rows={3}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{words.noTokens}</p>
          ) : (
            <Table
              label={words.tokensOf(user.name)}
              rows={tokens}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "name",
                  label: shared.name,
                  isMain: true,
                  cell: ({ name, scope }) => (
                    <span class="app-cell">
                      <span class="app-cell-text">{name}</span>
                      <Badge>{words.scopes[scope]}</Badge>
                    </span>
                  ),
                },
                {
                  id: "used",
                  label: words.lastUsed,
                  from: "medium",
                  cell: ({ lastUsedAt }) =>
                    lastUsedAt === null ? (
                      words.never
                    ) : (
                      <span title={timeText(lastUsedAt)}>{whenText(lastUsedAt)}</span>
                    ),
                },
                {
                  id: "revoke",
                  label: words.revoke,
                  isHeadHidden: true,
                  align: "end",
                  cell: ({ id }) => (
                    <Button size="s" onPress={() => void revoke(id)}>
                      {words.revoke}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
    </Dialog>
  );
}
