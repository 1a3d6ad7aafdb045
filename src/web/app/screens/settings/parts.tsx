import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import { safeSource } from "../../../conversation/links.ts";
import { textAt } from "../../../conversation/read.ts";
import { ApiFailure, call } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { go } from "../../routing/router.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Banner, Button, ConfirmDialog, Icon, Switch } from "../../ui/index.ts";
import settingsWords from "../../words/en/settings.json";
import { useWords } from "../../words/index.ts";
import { archive, remove } from "../bots/bot-actions.ts";
import { LinkedFrom } from "../bots/linked-from.tsx";

/** Edits whether visitors can use the bot. This is not part of the draft, so changes take effect immediately. */
export function Availability({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const [failure, setFailure] = useState<string>();
  const path = { botId: bot.id };
  const { isClosed: isClosedNow, publicationNumber } = bot.bot.value;
  const close = async (isClosed: boolean) => {
    setFailure(undefined);
    try {
      await call("PATCH /api/v1/bots/:botId", { path, body: { bot: { isClosed } } });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error.message);
    }
    await bot.refresh();
  };
  return (
    <div class="availability">
      <Switch
        label={words.closed}
        help={words.closedHelp}
        isChecked={isClosedNow}
        isDisabled={bot.mode !== "write"}
        onChange={(isClosed) => void close(isClosed)}
      />
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      <p class="look-hint">
        {publicationNumber === null ? words.notPublished : words.live({ number: publicationNumber })}
      </p>
    </div>
  );
}

/** The actions that make a bot unavailable to visitors, with their consequences. */
export function Danger({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const shellWords = useWords();
  const [asking, setAsking] = useState<"archive" | "remove">();
  const { workspaceId, name } = bot.bot.value;
  const mayWrite = bot.mode === "write";
  const act = async (run: typeof archive) => {
    await bot.editor.copy.flush();
    await run([bot], shellWords);
    go(`/w/${workspaceId}`);
  };
  return (
    <div class="danger">
      <section>
        <h2>{words.archive}</h2>
        <p class="look-hint">{words.archiveText}</p>
        <Button label={words.archive} icon="archive" isDisabled={!mayWrite} onPress={() => setAsking("archive")} />
      </section>
      <section>
        <h2>{words.remove}</h2>
        <p class="look-hint">{words.removeText}</p>
        <Button
          label={words.remove}
          kind="danger"
          icon="trash-2"
          isDisabled={!mayWrite}
          onPress={() => setAsking("remove")}
        />
      </section>
      {asking === "archive" && (
        <ConfirmDialog
          title={`${words.archive}?`}
          text={words.archiveText}
          action={words.archive}
          onConfirm={() => act(archive)}
          onClose={() => setAsking(undefined)}
        >
          <LinkedFrom bots={[bot]} />
        </ConfirmDialog>
      )}
      {asking === "remove" && (
        <ConfirmDialog
          title={`${words.remove}?`}
          text={words.removeText}
          action={words.remove}
          typed={name}
          isDanger
          onConfirm={() => act(remove)}
          onClose={() => setAsking(undefined)}
        >
          <LinkedFrom bots={[bot]} />
        </ConfirmDialog>
      )}
    </div>
  );
}

/** The preview card that social networks show for a link to the bot. */
export function SocialCard({ bot: { bot, editor } }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const settings = useComputed(() => editor.store.draft.value.settings).value;
  const said = (name: string) => textAt(settings, "metadata", name) || undefined;
  const picture = safeSource(said("imageUrl"));
  const address = useChatAddress();
  return (
    <section aria-labelledby="card-title">
      <h2 id="card-title">{words.card}</h2>
      <div class="social-card">
        <div class="social-card-picture">
          {picture === undefined ? (
            <span>
              <Icon name="eye" size={18} /> {words.noPicture}
            </span>
          ) : (
            <img src={picture} alt="" />
          )}
        </div>
        <div class="social-card-words" dir="auto">
          <small>{address === undefined ? "" : new URL(address).host}</small>
          <strong>{said("title") ?? bot.value.name}</strong>
          {said("description") !== undefined && <p>{said("description")}</p>}
        </div>
      </div>
    </section>
  );
}
