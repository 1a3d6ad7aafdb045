import type { StepReader } from "../../chat/steps/answers-under-way.ts";
import { createDraftWords } from "../../core/channels/draft-words.ts";
import { limits } from "../../limits/index.ts";
import type { QueuedRow, TurnTools } from "./turn.ts";
import type { TurnFacts } from "./turn-facts.sql.ts";

/** Shows the text of a running step as drafts. */
export type Drafts = {
  /** Passed to the step, which reports its progress through this reader. */
  readonly reader: StepReader;
  /** Shows no further drafts, and aborts a draft that is being sent. */
  end(): void;
};

/** A step that ends within this time shows no draft, because a draft only shows progress, like "typing". */
const draftAfterMs = 1_000;

/**
 * Shows a person the texts of models as drafts while they are generated, until the step is saved. Drafts are not
 * messages of the bot. Returns undefined if drafts are not possible, for example because the connection disables them.
 *
 *     waiting ─ the step takes a second ──────────────────────────→ reading
 *     reading ─ a model starts an answer, or continues one ───────→ showing
 *     reading ─ the shown text is about to disappear ─────────────→ showing
 *     showing ─ the draft is shown, or skipped this time ─────────→ reading, after a second
 *     showing ─ the provider rejects drafts ──────────────────────→ over
 *     any ─ the step is saved, or fails ──────────────────────────→ over
 */
export function showDrafts(tools: TurnTools, facts: TurnFacts, row: QueuedRow): Drafts | undefined {
  const { deps, connection } = tools;
  const { signs, capabilities } = connection.channel;
  const { drafts } = capabilities;
  if (!signs.draft || !drafts || connection.settings["drafts"] === false || facts.kind === "group") return undefined;
  const reader = deps.answersUnderWay.reader();
  if (!reader) return undefined;
  const ended = new AbortController();
  const words = createDraftWords(drafts.length);
  const messageOf = (text: string) => signs.draft?.(draftIdOf(row), text);
  const run = readAndShow(tools, { reader, ended: ended.signal, words, messageOf, contactId: facts.id });
  run.catch((error: unknown) => deps.log.error("An answer could not be shown as a draft", { error }));
  return {
    reader,
    end() {
      ended.abort();
      reader.leave();
    },
  };
}

type Reading = {
  readonly reader: StepReader;
  readonly ended: AbortSignal;
  readonly words: ReturnType<typeof createDraftWords>;
  messageOf(text: string): Parameters<TurnTools["draft"]>[0]["message"] | undefined;
  readonly contactId: string;
};

async function readAndShow(tools: TurnTools, reading: Reading): Promise<void> {
  const { clock } = tools.deps;
  const { reader, ended, words, messageOf, contactId } = reading;
  let shown: string | undefined;
  let goneAt = Number.POSITIVE_INFINITY;
  await passing(tools, draftAfterMs, { ended });
  while (!ended.aborted) {
    take(reading);
    const text = words.read();
    const message = text === undefined || (text === shown && clock.now() < goneAt) ? undefined : messageOf(text);
    if (message === undefined) {
      // If there is no new text, the draft is shown again before the provider removes it.
      await passing(tools, Math.max(0, goneAt - clock.now()), { ended, news: reader.more() });
      continue;
    }
    const outcome = await tools.draft({ contactId, message, ended });
    if (outcome === "refused") return;
    if (outcome === "shown") {
      shown = text;
      goneAt = clock.now() + limits.channels.draftAgainMs;
    }
    await passing(tools, limits.channels.draftMs, { ended });
  }
}

/** Reads the step's progress. Messages of other blocks are ignored, because they are not text of a model. */
function take({ reader, words }: Reading): void {
  for (const event of reader.take()) {
    if (event.event === "restart") words.restart();
    if (event.event === "delta") words.add(event.id, event.text);
  }
}

/** Resolves after this time, when new text arrives, or when the step ends. */
function passing(
  { deps }: TurnTools,
  ms: number,
  { ended, news }: { readonly ended: AbortSignal; readonly news?: Promise<void> },
): Promise<void> {
  if (ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const stopTimer = ms === Number.POSITIVE_INFINITY ? () => {} : deps.clock.startTimer(ms, over);
    function over(): void {
      stopTimer();
      ended.removeEventListener("abort", over);
      resolve();
    }
    ended.addEventListener("abort", over);
    void news?.then(over);
  });
}

/**
 * Returns the number of a row's drafts. All attempts use the same number, so that the next process replaces the draft
 * of a process that died.
 */
function draftIdOf({ id }: QueuedRow): number {
  // Uses six random characters of the id. The last three characters contain the shard.
  return (Number.parseInt(id.slice(-9, -3), 36) % 2_147_483_646) + 1;
}
