import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure } from "../api/index.ts";
import { type OpenBot, openEditor } from "../editor/index.ts";
import { FailureState } from "../page-parts/states.tsx";
import { me } from "../session/session.ts";
import { Skeleton } from "../ui/index.ts";

export type WithOpenBotProps = {
  readonly botId: string;
  /** `onReopen` loads the bot again. */
  readonly children: (bot: OpenBot, onReopen: () => void) => ComponentChildren;
};

type Opening = { readonly bot: OpenBot } | { readonly failure: ApiFailure };

/** Opens a bot's draft for a screen. When the screen is left, the draft is saved and closed. */
export function WithOpenBot({ botId, children }: WithOpenBotProps) {
  const [opening, setOpening] = useState<Opening>();
  const [attempt, setAttempt] = useState(0);
  const isSlow = useIsSlow(opening === undefined);
  const userId = me.value?.id ?? "";
  useEffect(() => {
    let isLeft = false;
    let opened: OpenBot | undefined;
    setOpening(undefined);
    openEditor(botId, userId).then(
      (bot) => {
        opened = bot;
        if (isLeft) void bot.close();
        else setOpening({ bot });
      },
      (error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error;
        if (!isLeft) setOpening({ failure: error });
      },
    );
    return () => {
      isLeft = true;
      void opened?.close();
    };
  }, [botId, userId, attempt]);
  const reopen = () => setAttempt(attempt + 1);
  if (opening && "bot" in opening) return <>{children(opening.bot, reopen)}</>;
  return (
    <main class="bot-frame" id="main" tabIndex={-1}>
      {!opening && isSlow && <Skeleton rows={12} />}
      {opening && <FailureState failure={opening.failure} onRetry={reopen} />}
    </main>
  );
}

function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = isWaiting ? setTimeout(() => setSlow(true), 300) : undefined;
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}
