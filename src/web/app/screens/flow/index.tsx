/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { ApiFailure } from "../../api/index.ts";
import { type OpenBot, openEditor } from "../../editor/index.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { me } from "../../shell/session.ts";
import { FailureState } from "../../shell/states.tsx";
import { Skeleton } from "../../ui/index.ts";
import { FlowEditor } from "./flow-editor.tsx";

type Opening = { readonly bot: OpenBot } | { readonly failure: ApiFailure };

/** A bot's flow: opened when it is met, and closed, with everything saved, when it is left. */
export default function FlowScreen({ params: { botId = "" } }: ScreenProps) {
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
  if (!opening)
    return (
      <main class="flow-screen" id="main" tabIndex={-1}>
        {isSlow && <Skeleton rows={12} />}
      </main>
    );
  if ("failure" in opening) {
    return (
      <main class="flow-screen" id="main" tabIndex={-1}>
        <FailureState failure={opening.failure} onRetry={() => setAttempt(attempt + 1)} />
      </main>
    );
  }
  return <FlowEditor bot={opening.bot} onReopen={() => setAttempt(attempt + 1)} />;
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
