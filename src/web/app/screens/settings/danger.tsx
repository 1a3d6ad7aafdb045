import { useState } from "preact/hooks";
import type { OpenBot } from "../../editor/index.ts";
import { go } from "../../routing/router.ts";
import { Button, ConfirmDialog } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { settingsWords } from "../../words/settings.ts";
import { archive, remove } from "../bots/bot-actions.ts";

/** The actions that take a bot from its visitors, with their consequences. */
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
        />
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
        />
      )}
    </div>
  );
}
