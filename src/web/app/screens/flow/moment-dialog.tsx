import { useMemo, useState } from "preact/hooks";
import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { ApiFailure, call, useQuery } from "../../api/index.ts";
import { DifferenceList, useDifference } from "../../difference/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { draftOf } from "../../editor/service.ts";
import { Outline } from "../../outline/outline.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { readOnlyBot } from "../../reading/read-only-bot.ts";
import { go } from "../../routing/router.ts";
import { Banner, Button, Dialog, Skeleton, Tabs, toast } from "../../ui/index.ts";
import differenceWords from "../../words/en/difference.json";
import historyWords from "../../words/en/history.json";
import { timeText, useWords } from "../../words/index.ts";

/** A state of the draft, directly after a revision. */
export type Moment = { readonly revision: number; readonly at: string };

type MomentProps = { readonly bot: OpenBot; readonly moment: Moment; readonly onClose: () => void };

/** Shows an earlier state of the draft: the changes since then, its flow, and a button that restores the state. */
export function MomentDialog({ bot, moment: { revision, at }, onClose }: MomentProps) {
  const words = useWords(historyWords);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const key = `flow/${bot.id}/then/${revision}`;
  const path = { botId: bot.id, revision: String(revision) };
  const query = useQuery(key, async () =>
    draftOf((await call("GET /api/v1/bots/:botId/history/:revision", { path })).draft),
  );
  const now = bot.editor.store.draft.value;
  const changed = useDifference(query.value, now);
  const mayRestore = bot.editor.readOnly.value === undefined && changed !== undefined && changed.length > 0;
  const restore = async (): Promise<void> => {
    if (isBusy || !mayRestore) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await restoreTo(bot, revision, { done: words.restored, undo: words.undo, undone: words.undone });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={words.title({ when: timeText(at) })}
      text={mayRestore ? words.restoreText : undefined}
      size="l"
      onClose={onClose}
      onSubmit={() => void restore()}
      actions={
        <Button
          label={words.restore}
          kind="primary"
          type="submit"
          icon="rotate-ccw"
          busy={isBusy}
          isDisabled={!mayRestore}
        />
      }
    >
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      <QueryState query={query}>
        {(then) => (changed ? <Shown {...{ bot, revision, then, now, changed }} /> : <Skeleton rows={5} />)}
      </QueryState>
    </Dialog>
  );
}

type ShownProps = {
  readonly bot: OpenBot;
  readonly revision: number;
  readonly then: DraftDocument;
  readonly now: DraftDocument;
  readonly changed: NonNullable<ReturnType<typeof useDifference>>;
};

function Shown({ bot, revision, then, now, changed }: ShownProps) {
  const words = useWords(historyWords);
  const difference = useWords(differenceWords);
  const [tab, setTab] = useState<"since" | "flow">("since");
  const open = useMemo(() => readOnlyBot(bot.bot.value, then), [bot, then]);
  return (
    <Tabs
      label={words.since}
      selected={tab}
      onSelect={setTab}
      tabs={[
        { id: "since", label: words.since },
        { id: "flow", label: words.flow },
      ]}
    >
      {tab === "since" ? (
        changed.length === 0 ? (
          <p>{words.same}</p>
        ) : (
          <>
            <Button
              label={difference.showOnCanvas}
              kind="quiet"
              size="s"
              icon="workflow"
              onPress={() => go(`/bots/${bot.id}/versions/r${revision}/compare/draft`)}
            />
            <DifferenceList before={then} after={now} changed={changed} workspaceId={bot.bot.value.workspaceId} />
          </>
        )
      ) : (
        <div class="moment-flow">
          <Outline bot={open} onOpen={() => {}} onShow={() => {}} />
        </div>
      )}
    </Tabs>
  );
}

type Said = { readonly done: string; readonly undo: string; readonly undone: string };

/**
 * Restores an earlier state and offers to undo this. If the restoration is still the author's last action, it is
 * undone. Otherwise, the state before it is restored.
 */
async function restoreTo(bot: OpenBot, revision: number, said: Said): Promise<void> {
  const { copy } = bot.editor;
  const restoreAt = async (at: number): Promise<void> => {
    const path = { botId: bot.id, revision: String(at) };
    await call("POST /api/v1/bots/:botId/history/:revision/restore", { path });
    await copy.catchUp();
  };
  await copy.flush();
  await copy.catchUp();
  const before = copy.revision();
  await restoreAt(revision);
  toast(said.done, {
    label: said.undo,
    onPress: () => {
      const mayUndo = copy.history().undo.at(-1)?.origin === "restore";
      if (mayUndo) bot.editor.undo();
      void (mayUndo ? Promise.resolve() : restoreAt(before)).then(() => toast(said.undone));
    },
  });
}
