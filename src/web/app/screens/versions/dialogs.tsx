import { useState } from "preact/hooks";
import { ApiFailure, call, refresh } from "../../api/index.ts";
import { DifferenceList } from "../../difference/index.ts";
import { go } from "../../routing/router.ts";
import { Banner, Button, Dialog, Skeleton, TextField, toast } from "../../ui/index.ts";
import differenceWords from "../../words/en/difference.json";
import versionWords from "../../words/en/version.json";
import { useWords } from "../../words/index.ts";
import { keyOf, refreshVersions, type Version } from "./service.ts";
import { useTwo } from "./use-two.ts";

/** The action on a version. */
export type Asked = { readonly act: "publish" | "bring"; readonly number: number };

export type VersionDialogProps = {
  readonly botId: string;
  readonly asked: Asked;
  /** The number of the live version. */
  readonly live: number | undefined;
  readonly onClose: () => void;
};

/** Publishes a version again, or restores it to the draft, after showing the changes. */
export function VersionDialog({ botId, asked: { act, number }, live, onClose }: VersionDialogProps) {
  const words = useWords(versionWords);
  const difference = useWords(differenceWords);
  const isPublishing = act === "publish";
  const [note, setNote] = useState(isPublishing ? words.backTo({ number }) : "");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const from = isPublishing ? (live === undefined ? undefined : String(live)) : "draft";
  const { before, after, changed, failures } = useTwo(botId, from, String(number));
  const unread = failures.from ?? failures.to;
  const isSame = changed?.length === 0;
  // A first publication has no previous version to compare with.
  const isReady = after !== undefined && (isPublishing || before !== undefined);
  const run = async (): Promise<void> => {
    if (isBusy || !isReady) return;
    setBusy(true);
    setFailure(undefined);
    try {
      toast(isPublishing ? await publish() : await bring(before));
      onClose();
      await refreshVersions(botId);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const hasMoved = error.code === "bot.conflict";
      setFailure(hasMoved ? words.moved : error.message);
      if (hasMoved) await refresh(keyOf(botId));
    } finally {
      setBusy(false);
    }
  };
  const path = { botId, number: String(number) };
  const publish = async (): Promise<string> => {
    const body = { ...(note !== "" && { note }) };
    const { number: next } = await call("POST /api/v1/bots/:botId/publications/:number/publish", { path, body });
    return words.isLiveNow({ number: next });
  };
  /** Replaces the draft only if it is still the draft that is shown. */
  const bring = async (draft: Version | undefined): Promise<string> => {
    const body = { updatedAt: draft?.bot?.updatedAt ?? null };
    const { replacedNumber } = await call("POST /api/v1/bots/:botId/publications/:number/restore", { path, body });
    return words.brought({ number, kept: replacedNumber });
  };
  return (
    <Dialog
      title={isPublishing ? words.publishTitle({ number }) : words.bringTitle({ number })}
      text={isPublishing ? words.publishText({ number }) : words.bringText}
      size="l"
      onClose={onClose}
      onSubmit={() => void run()}
      actions={
        <Button
          label={isPublishing ? words.publishAgain : words.bring}
          kind="primary"
          type="submit"
          icon={isPublishing ? "send" : "rotate-ccw"}
          busy={isBusy}
          isDisabled={!isReady || (isSame && !isPublishing)}
        />
      }
    >
      <div class="versions-dialog">
        {(failure ?? unread) !== undefined && <Banner text={failure ?? unread?.message} tone="danger" isAlert />}
        {isPublishing && <TextField label={words.publishNote} value={note} onInput={setNote} maxLength={500} />}
        {isSame ? (
          <p>{isPublishing ? words.isLiveAlready : words.isDraftAlready}</p>
        ) : before && after && changed ? (
          <>
            <div class="versions-part">
              <h3>{isPublishing ? words.forVisitors : words.forDraft}</h3>
              <Button
                label={difference.showOnCanvas}
                kind="quiet"
                size="s"
                icon="workflow"
                onPress={() => {
                  onClose();
                  go(`/bots/${botId}/versions/${from}/compare/${number}`);
                }}
              />
            </div>
            <DifferenceList
              before={before.draft}
              after={after.draft}
              changed={changed}
              workspaceId={before.bot?.workspaceId}
            />
          </>
        ) : from === undefined ? (
          <p>{words.first}</p>
        ) : (
          !unread && <Skeleton rows={4} />
        )}
      </div>
    </Dialog>
  );
}
