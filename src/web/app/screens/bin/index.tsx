import { useEffect, useState } from "preact/hooks";
import { type Answer, call, refresh, useAll } from "../../api/index.ts";
import { ListTable, MoreMenu } from "../../page-parts/lists.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { Button, ConfirmDialog, EmptyState, Icon, toast } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";

type Entry = Answer<"GET /api/v1/workspaces/:workspaceId/bin">["entries"][number];

/** The bin of a workspace. Deleted bots and folders can be restored or permanently erased until they expire. */
export default function Bin({ params }: ScreenProps) {
  const words = useWords();
  const workspaceId = params["workspaceId"] ?? "";
  const [erasing, setErasing] = useState<Entry>();
  const query = useAll(
    `bin/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/bin", { path: { workspaceId }, query: page }),
    ({ entries }) => entries,
  );
  useEffect(() => {
    document.title = `${words.bin} · Parley`;
  }, [words]);
  const restore = async ({ kind, id, name }: Entry) => {
    if (kind === "bot") await call("POST /api/v1/bots/:botId/restore", { path: { botId: id }, body: {} });
    else await call("POST /api/v1/folders/:folderId/restore", { path: { folderId: id }, body: {} });
    toast(words.restoredToast({ name }));
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
      <ListTable
        query={query}
        bars={5}
        empty={<EmptyState icon="trash-2" title={words.emptyBinTitle} text={words.emptyBinText} />}
        label={words.bin}
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
            cell: ({ erasedAt }) => (
              <span title={timeText(erasedAt)}>{words.erasedOn({ day: whenText(erasedAt) })}</span>
            ),
          },
        ]}
        acts={(entry) => (
          <span class="app-cell-acts">
            <Button label={words.restore} size="s" icon="rotate-ccw" onPress={() => void restore(entry)} />
            <MoreMenu
              name={entry.name}
              items={() => [
                { label: words.eraseNow, icon: "trash-2", isDanger: true, onPress: () => setErasing(entry) },
              ]}
            />
          </span>
        )}
      />
      {erasing && (
        <ConfirmDialog
          title={words.eraseTitle({ name: erasing.name })}
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
