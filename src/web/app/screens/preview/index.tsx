/** @jsxImportSource preact */
import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ApiFailure, call, setKnown, stream, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { PreviewPanel } from "../../preview/index.tsx";
import { go, route } from "../../shell/router.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { QueryState } from "../../shell/states.tsx";
import { useWords } from "../../words/index.ts";
import { previewWords } from "../../words/preview.ts";
import { type ReadBot, readOnlyDraft } from "./read-only-draft.ts";

/**
 * A bot that is tried in a window of its own: on a phone, or beside the editor in another one. Who edits the draft elsewhere sees it
 * change here.
 */
export default function PreviewScreen({ params }: ScreenProps) {
  const words = useWords(previewWords);
  const { botId = "" } = params;
  const key = `bots/${botId}/for-preview`;
  const read = async () => (await call("GET /api/v1/bots/:botId", { path: { botId } })).bot;
  const query = useQuery<ReadBot>(key, read);
  const wanted = useMemo(() => route.peek().query.get("from"), [botId]);
  const revision = useMemo(() => signal<number | undefined>(undefined), [botId]);
  useFollowing(botId, { revision, onChanges: async () => setKnown<ReadBot>(key, await read()) });
  useEffect(() => {
    revision.value = query.value?.revision;
  }, [query.value]);
  return (
    <BotFrame botId={botId} part="preview" isFilling>
      <h1 class="visually-hidden">{words.title}</h1>
      <QueryState query={query} onRetry={read}>
        {(bot) => <Tried key={botId} bot={bot} from={wanted} />}
      </QueryState>
    </BotFrame>
  );
}

function Tried({ bot, from }: { bot: ReadBot; from: string | null }) {
  const draft = useMemo(() => readOnlyDraft(bot), []);
  useEffect(() => draft.show(bot), [bot]);
  const selected = draft.open.editor.selection.value;
  // What is pressed here is looked at in the editor.
  useEffect(() => {
    if (selected) go(`/bots/${bot.id}?at=${encodeURIComponent(selected.id)}`);
  }, [selected]);
  return <PreviewPanel open={draft.open} from={from === null ? undefined : { type: "block", blockId: from }} />;
}

type Following = { readonly revision: Signal<number | undefined>; readonly onChanges: () => Promise<void> };

/** Follows what is done to the draft, as long as the screen is open. A stream that ends is opened again. */
function useFollowing(botId: string, { revision, onChanges }: Following): void {
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          const after = revision.peek();
          const query = after === undefined ? {} : { after };
          for await (const { event } of stream("GET /api/v1/bots/:botId/live", {
            path: { botId },
            query,
            signal: stop.signal,
          })) {
            if (event === "changes") await onChanges();
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          if (error instanceof ApiFailure && [401, 403, 404].includes(error.status)) return;
        }
        await new Promise((resolve) => setTimeout(resolve, reopenMs));
      }
    };
    void follow();
    return () => stop.abort();
  }, [botId]);
}

const reopenMs = 10_000;
