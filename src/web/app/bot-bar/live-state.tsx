import { useEffect, useRef } from "preact/hooks";
import { useQuery } from "../api/index.ts";
import { later, Popover, Skeleton } from "../ui/index.ts";
import liveWords from "../words/en/live.json";
import { useWords } from "../words/index.ts";
import type { LiveBot } from "./live-facts.ts";

export type LiveStateProps = {
  readonly botId: string;
  readonly bot: LiveBot;
  /** The last saved revision of the draft, if the screen edits the draft. */
  readonly saved?: number | undefined;
};

const LiveDetails = later(
  async () => (await import("./live-details.tsx")).LiveDetails,
  <div class="live-details">
    <Skeleton rows={4} />
  </div>,
);

/**
 * Shows whether the bot is live, and the number of unpublished changes. Appears beside the bot's name on each of its
 * screens, unless the bot is archived.
 */
export function LiveState({ botId, bot, saved }: LiveStateProps) {
  const words = useWords(liveWords);
  const { publicationNumber: number, isClosed, isArchived } = bot;
  const { value: live, again } = useQuery(number === null ? undefined : `bots/${botId}/live/${number}`, async () =>
    (await import("./read-live.ts")).readLive(botId),
  );
  useAfterSaves(saved, again);
  if (isArchived) return null;
  const { changes = 0, canary } = live ?? {};
  const state = number === null ? "draft" : isClosed ? "closed" : canary ? "canary" : "live";
  const isBehind = state === "live" && changes > 0;
  const label = isBehind
    ? words.changes({ count: changes })
    : state === "canary"
      ? words.canary({ percent: canary?.percent ?? 0 })
      : words[state];
  return (
    <Popover
      label={label}
      {...(isBehind && { short: words.short({ count: changes }) })}
      icon={icons[state]}
      kind="quiet"
      size="s"
      class={`live-state is-${state}`}
    >
      {(close) => <LiveDetails {...{ botId, bot, live, close }} />}
    </Popover>
  );
}

const icons = { draft: "circle-dashed", live: "radio", closed: "lock", canary: "radio" } as const;

const restMs = 2_000;

/** Requests the live state a moment after each save. If the page is hidden, waits until the page is visible again. */
function useAfterSaves(saved: number | undefined, again: () => Promise<void>): void {
  const asked = useRef(saved);
  useEffect(() => {
    asked.current ??= saved;
    if (saved === undefined || saved === asked.current) return;
    const ask = (): void => {
      if (document.hidden || asked.current === saved) return;
      asked.current = saved;
      void again();
    };
    const timer = setTimeout(ask, restMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [saved]);
}
