/** @jsxImportSource preact */
import { call, refresh, useQuery } from "../../api/index.ts";
import { Part } from "../../shell/sections.tsx";
import { QueryState } from "../../shell/states.tsx";
import { allPages } from "../../shell/workspaces.ts";
import { EmptyState, Table } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";

/** What credentials a workspace has: their names and kinds, never what is in them. */
export function Credentials({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords();
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
  return (
    <Part title={words.credentials} text={words.noCredentialsText}>
      <QueryState query={query} onRetry={() => refresh(key)}>
        {(credentials) =>
          credentials.length === 0 ? (
            <EmptyState icon="lock" title={words.noCredentials} />
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
                  cell: ({ name }) => <span class="app-cell-text">{name}</span>,
                },
                { id: "kind", label: words.kind, cell: ({ type }) => type },
                {
                  id: "since",
                  label: words.since,
                  from: "medium",
                  cell: ({ createdAt }) => <span title={timeText(createdAt)}>{whenText(createdAt)}</span>,
                },
              ]}
            />
          )
        }
      </QueryState>
    </Part>
  );
}
