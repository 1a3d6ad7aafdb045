import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { flagAt, listAt, textAt } from "../../../conversation/read.ts";
import { type Answer, ApiFailure, call, setKnown, stream, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import type { PreviewedDraft, PreviewedVariable } from "../../preview/bot.ts";
import { type OpenForPreview, PreviewPanel } from "../../preview/index.tsx";
import { repliesOf } from "../../preview/replies-of.ts";
import { go, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import previewWords from "../../words/en/preview.json";
import { useWords } from "../../words/index.ts";

/** A preview of a bot in its own window, on a phone or beside the editor. The preview follows changes of the draft. */
export default function PreviewScreen({ params }: ScreenProps) {
  const words = useWords(previewWords);
  const { botId = "" } = params;
  const key = `bots/${botId}/for-preview`;
  const read = async (): Promise<ReadBot> => {
    const { bot, currentUserMode } = await call("GET /api/v1/bots/:botId", { path: { botId } });
    return { ...bot, mode: currentUserMode };
  };
  const query = useQuery<ReadBot>(key, read);
  const from = useMemo(() => route.value.query.get("from"), [botId]);
  const again = useMemo(() => route.value.query.get("again"), [botId]);
  return (
    <BotFrame botId={botId} part="preview" isFilling>
      <h1 class="visually-hidden">{words.title}</h1>
      <QueryState query={query}>
        {(bot) => (
          <Tried key={botId} {...{ bot, from, again }} onChanges={async () => setKnown<ReadBot>(key, await read())} />
        )}
      </QueryState>
    </BotFrame>
  );
}

type TriedProps = {
  readonly bot: ReadBot;
  readonly from: string | null;
  /** The id of the result whose answers are repeated. */
  readonly again: string | null;
  readonly onChanges: () => Promise<void>;
};

function Tried({ bot, from, again, onChanges }: TriedProps) {
  const draft = useMemo(() => readOnlyDraft(bot), []);
  useEffect(() => draft.show(bot), [bot]);
  useFollowing(bot.id, { revision: () => draft.open.editor.saved.value ?? bot.revision, onChanges });
  const selected = draft.open.editor.selection.focus.value;
  // A press on a block in this window opens the block in the editor.
  useEffect(() => {
    if (selected) go(`/bots/${bot.id}?at=${encodeURIComponent(selected.id)}`);
  }, [selected]);
  // Keeps the same object while the URL is unchanged, because a new object would restart the chat.
  const place = useMemo(() => (from === null ? undefined : { kind: "block" as const, id: from }), [from]);
  if (again !== null) return <TriedAgain open={draft.open} resultId={again} />;
  return <PreviewPanel open={draft.open} from={place} />;
}

/** Previews the bot with the answers of a result. */
function TriedAgain({ open, resultId }: { readonly open: OpenForPreview; readonly resultId: string }) {
  const query = useQuery(`bots/${open.id}/replies/${resultId}`, async () => {
    const path = { botId: open.id, resultId };
    const [{ result }, { chats }] = await Promise.all([
      call("GET /api/v1/bots/:botId/results/:resultId", { path }),
      call("GET /api/v1/bots/:botId/results/:resultId/transcript", { path, query: { format: "rich" } }),
    ]);
    return repliesOf({ chats, answers: result.answers });
  });
  // A repeated response to the same request must not restart the chat.
  const first = useRef(query.value);
  first.current ??= query.value;
  return <QueryState query={query}>{() => <PreviewPanel open={open} replies={first.current} />}</QueryState>;
}

type Following = { readonly revision: () => number; readonly onChanges: () => Promise<void> };

/**
 * Follows changes of the draft while the screen is open. If the stream ends, it is opened again, unless this person is
 * signed out or may no longer read the bot.
 */
function useFollowing(botId: string, { revision, onChanges }: Following): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const follow = async () => {
      while (!signal.aborted) {
        try {
          const query = { after: revision() };
          for await (const { event } of stream("GET /api/v1/bots/:botId/live", { path: { botId }, query, signal })) {
            if (event === "changes") await onChanges();
          }
        } catch (error) {
          if (signal.aborted) return;
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

type Read = Answer<"GET /api/v1/bots/:botId">;
type ReadBot = Read["bot"] & { readonly mode: Read["currentUserMode"] };

/** Returns a read-only draft in the form of an edited draft, which a preview requires. */
function readOnlyDraft(first: ReadBot) {
  const draft = signal<PreviewedDraft>(first);
  const variables = signal(variablesOf(first));
  const bot = signal(first);
  const saved = signal<number | undefined>(first.revision);
  const focus = signal<OpenForPreview["editor"]["selection"]["focus"]["value"]>(undefined);
  const block = (id: string) => {
    const blocks = listAt(draft.value, "groups").flatMap((group) => listAt(group, "blocks"));
    const found = blocks.find((one) => textAt(one, "id") === id);
    return found === undefined ? undefined : { block: found };
  };
  const open: OpenForPreview = {
    id: first.id,
    mode: first.mode,
    bot,
    editor: {
      saved,
      selection: {
        focus,
        select(thing) {
          focus.value = thing;
        },
      },
      store: { draft, variables, find: { block } },
    },
  };
  return {
    open,
    show(next: ReadBot) {
      bot.value = next;
      draft.value = next;
      variables.value = variablesOf(next);
      saved.value = next.revision;
    },
  };
}

function variablesOf({ variables }: ReadBot): readonly PreviewedVariable[] {
  return variables.flatMap((variable) => {
    const [id, name] = [textAt(variable, "id"), textAt(variable, "name")];
    const isPrefillable = flagAt(variable, "isPrefillable");
    return id === undefined || name === undefined ? [] : [{ id, name, isPrefillable }];
  });
}
