import { useState } from "preact/hooks";
import { call } from "../../api/index.ts";
import { canaryShares } from "../../bot-bar/live-facts.ts";
import { refusedToast } from "../../page-parts/submit.ts";
import { Button, ConfirmDialog, Select, toast } from "../../ui/index.ts";
import versionWords from "../../words/en/version.json";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { type Canary, refreshVersions } from "./service.ts";

type CanaryProps = { readonly botId: string; readonly canary: Canary; readonly mayWrite: boolean };

/**
 * Shows the canary version: the figures of both versions, the share of new chats, and the actions that end the canary.
 */
export function CanaryPart({ botId, canary, mayWrite }: CanaryProps) {
  const words = useWords(versionWords);
  const [asked, setAsked] = useState<"promote" | "rollback">();
  const [chosen, setChosen] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const { number, percent, since, currentNumber, figures } = canary;
  const share = chosen ?? percent;
  const path = { botId };
  /** Returns whether the shown version is still the bot's canary. Shows a message if it is not. */
  const isShown = async (): Promise<boolean> => {
    const { canary: now } = await call("GET /api/v1/bots/:botId/canary", { path });
    const isSame = now?.number === number && now.currentNumber === currentNumber;
    if (!isSame) toast(words.canaryMoved);
    return isSame;
  };
  const change = async (next: number): Promise<void> => {
    setBusy(true);
    try {
      if (await isShown()) {
        const { canary: now } = await call("PATCH /api/v1/bots/:botId/canary", { path, body: { percent: next } });
        toast(words.canaryShareNow({ percent: now.percent, number: now.number }));
      }
      await refreshVersions(botId);
      setChosen(undefined);
    } catch (cause) {
      void refreshVersions(botId);
      refusedToast(cause);
    } finally {
      setBusy(false);
    }
  };
  const end = async (): Promise<void> => {
    try {
      if (!(await isShown())) return;
      if (asked === "promote") {
        const { number: live } = await call("POST /api/v1/bots/:botId/canary/promote", { path, body: {} });
        toast(words.isLiveNow({ number: live }));
      } else {
        await call("POST /api/v1/bots/:botId/canary/rollback", { path });
        toast(words.rolledBack({ number: currentNumber }));
      }
    } finally {
      await refreshVersions(botId);
    }
  };
  return (
    <section class="versions-canary" aria-label={words.canaryTitle({ number })}>
      <div class="versions-canary-head">
        <div>
          <h2>{words.canaryTitle({ number })}</h2>
          <p class="versions-canary-since" title={timeText(since)}>
            {words.canarySince({ percent, when: whenText(since) })}
          </p>
        </div>
        {mayWrite && (
          <div class="versions-canary-acts">
            <Select
              label={words.canaryShare}
              value={String(share)}
              options={[...new Set([...canaryShares, percent])]
                .toSorted((a, b) => a - b)
                .map((one) => ({ value: String(one), label: words.canaryPercent({ percent: one }) }))}
              onChange={(next) => setChosen(Number(next))}
            />
            <Button
              label={words.canaryApply}
              busy={isBusy}
              isDisabled={share === percent}
              onPress={() => void change(share)}
            />
            <Button label={words.promote} kind="primary" icon="check" onPress={() => setAsked("promote")} />
            <Button label={words.rollBack} icon="rotate-ccw" onPress={() => setAsked("rollback")} />
          </div>
        )}
      </div>
      <ul class="versions-canary-figures">
        {figures.map(({ number: version, isCanary, views, starts, completions }) => (
          <li key={version}>
            {isCanary
              ? words.triedFigures({ number: version, views, starts, completions, share: shareOf(completions, starts) })
              : words.liveFigures({ number: version, views, starts, completions, share: shareOf(completions, starts) })}
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={asked === "promote" ? words.promoteTitle({ number }) : words.rollBackTitle({ number })}
          text={asked === "promote" ? words.promoteText({ number }) : words.rollBackText({ number: currentNumber })}
          action={asked === "promote" ? words.promote : words.rollBack}
          isDanger={asked === "rollback"}
          onConfirm={end}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole);
}
