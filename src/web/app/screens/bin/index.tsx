import { useEffect, useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";
import { QueryState } from "../../page-parts/states.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { allPages } from "../../session/workspaces.ts";
import { Button, ConfirmDialog, EmptyState, Icon, Menu, Table, toast } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";

type Entry = Answer<"GET /api/v1/workspaces/:workspaceId/bin">["entries"][number];

/** Deleted bots, for 30 days: restored from here, or erased for good. */
export default function Bin({ params }: ScreenProps) {
  const words = useWords();
  const workspaceId = params["workspaceId"] ?? "";
  const key = `bin/${workspaceId}`;
  const [erasing, setErasing] = useState<Entry>();
  const query = useQuery(key, () =>
    allPages(async (cursor) =>
      call("GET /api/v1/workspaces/:workspaceId/bin", { path: { workspaceId }, query: { limit: 100, cursor } }),
    ),
  );
  useEffect(() => {
    document.title = `${words.bin} · Parley`;
  }, [words]);
  const restore = async ({ kind, id, name }: Entry) => {
    if (kind === "bot") await call("POST /api/v1/bots/:botId/restore", { path: { botId: id }, body: {} });
    else await call("POST /api/v1/folders/:folderId/restore", { path: { folderId: id }, body: {} });
    toast(words.restoredToast(name));
    await Promise.all(["bin", "bots", "folders"].map(refresh));
  };
  const erase = async ({ kind, id }: Entry) => {
    if (kind === "bot") await call("POST /api/v1/bots/:botId/erase", { path: { botId: id }, body: {} });
    else await call("POST /api/v1/folders/:folderId/erase", { path: { folderId: id }, body: {} });
    await refresh("bin");
  };
  return (
    <main class="app-page" id="main" tabIndex={-1}>
      <header class="app-page-head">
        <h1>{words.bin}</h1>
      </header>
      <QueryState query={query} onRetry={() => refresh(key)}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState icon="trash-2" title={words.emptyBinTitle} text={words.emptyBinText} />
          ) : (
            <Table
              label={words.bin}
              rows={entries}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "name",
                  label: words.name,
                  isMain: true,
                  cell: (entry) => (
                    <span class="app-cell">
                      <Icon name={entry.kind === "bot" ? "message-circle" : "folder"} />
                      <span class="app-cell-text">{entry.name}</span>
                    </span>
                  ),
                },
                {
                  id: "erased",
                  label: words.expires,
                  from: "medium",
                  cell: ({ erasedAt }) => <span title={timeText(erasedAt)}>{words.erasedOn(whenText(erasedAt))}</span>,
                },
                {
                  id: "acts",
                  label: words.more,
                  isHeadHidden: true,
                  align: "end",
                  cell: (entry) => (
                    <span class="app-cell-acts">
                      <Button size="s" icon="rotate-ccw" onPress={() => void restore(entry)}>
                        {words.restore}
                      </Button>
                      <Menu
                        isIconOnly
                        kind="quiet"
                        size="s"
                        label={words.moreOf(entry.name)}
                        items={() => [
                          {
                            label: words.eraseNow,
                            icon: "trash-2",
                            isDanger: true,
                            onPress: () => setErasing(entry),
                          },
                        ]}
                      />
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {erasing && (
        <ConfirmDialog
          title={words.eraseTitle(erasing.name)}
          text={words.eraseText}
          action={words.eraseNow}
          isDanger
          typed={erasing.name}
          onConfirm={() => erase(erasing)}
          onClose={() => setErasing(undefined)}
        />
      )}
    </main>
  );
}
