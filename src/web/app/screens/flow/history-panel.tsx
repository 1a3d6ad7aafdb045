/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { type Answer, call, useQuery } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { QueryState } from "../../shell/states.tsx";
import { Button, ConfirmDialog, EmptyState } from "../../ui/index.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";

type Sitting = Answer<"GET /api/v1/bots/:botId/history">["sittings"][number];

/** Who changed what in which sitting, newest first, and the way back to how it was. */
export function HistoryPanel({ bot }: { readonly bot: OpenBot; readonly onRestored: () => void }) {
  const { history: words } = useWords(panelWords);
  const revision = bot.editor.saved.value;
  const key = revision === undefined ? `flow/${bot.id}/history` : `flow/${bot.id}/history/${revision}`;
  const query = useQuery(key, () => call("GET /api/v1/bots/:botId/history", { path: { botId: bot.id } }));
  return (
    <QueryState query={query} onRetry={() => undefined}>
      {({ sittings }) =>
        sittings.length === 0 ? (
          <EmptyState icon="history" title={words.none} />
        ) : (
          <ol class="sittings">
            {sittings.map((sitting) => (
              <SittingEntry key={sitting.revision} bot={bot} sitting={sitting} />
            ))}
          </ol>
        )
      }
    </QueryState>
  );
}

function SittingEntry({ bot, sitting }: { readonly bot: OpenBot; readonly sitting: Sitting }) {
  const { history: words } = useWords(panelWords);
  const [sizes, setSizes] = useState<string>();
  const [isRestoring, setRestoring] = useState(false);
  const { revision, by, to, changeSets, titles } = sitting;
  const path = { botId: bot.id, revision: String(revision) };
  const look = async (): Promise<void> => {
    const { draft } = await call("GET /api/v1/bots/:botId/history/:revision", { path });
    const blocks = draft.groups.reduce((count, { blocks: inner }) => count + (inner?.length ?? 0), 0);
    setSizes(words.sizes(draft.groups.length, blocks));
  };
  const restore = async (): Promise<void> => {
    await bot.editor.copy.flush();
    await call("POST /api/v1/bots/:botId/history/:revision/restore", { path });
    await bot.editor.copy.catchUp();
  };
  return (
    <li class="sitting">
      <div class="sitting-head">
        <strong>{by?.name ?? words.unknown}</strong>
        <time dateTime={to} title={timeText(to)}>
          {whenText(to)}
        </time>
      </div>
      <p class="sitting-count">{words.changes(changeSets)}</p>
      <ul class="sitting-titles">
        {[...new Set(titles)].map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
      {sizes !== undefined && <p class="sitting-count">{sizes}</p>}
      <div class="sitting-acts">
        <Button size="s" kind="quiet" icon="eye" onPress={() => void look()}>
          {words.look}
        </Button>
        <Button
          size="s"
          kind="quiet"
          icon="rotate-ccw"
          isDisabled={bot.editor.readOnly.value !== undefined}
          onPress={() => setRestoring(true)}
        >
          {words.restore}
        </Button>
      </div>
      {isRestoring && (
        <ConfirmDialog
          title={words.restoreTitle}
          text={words.restoreBody}
          action={words.restore}
          onConfirm={restore}
          onClose={() => setRestoring(false)}
        />
      )}
    </li>
  );
}
