import type { OpenBot } from "../editor/index.ts";
import { Badge, Button, later } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";

/** The dialog before a publication: it loads at its first use. */
export const PublishDialog = later(async () => (await import("./publish-dialog.tsx")).PublishDialog);

/** Publishes the edited draft, and shows how many findings block its publication. */
export function PublishButton({ bot, onPress }: { readonly bot: OpenBot; readonly onPress: () => void }) {
  const { bar: words } = useWords(flowWords);
  const { errors, warnings, infos } = bot.findings.counts.value;
  const findings = errors + warnings + infos;
  return (
    <Button
      label={
        <>
          {words.publish} {findings > 0 && <Badge label={findings} />}
        </>
      }
      kind="primary"
      icon="send"
      isDisabled={!mayPublish(bot)}
      attributes={{ "aria-label": findings > 0 ? words.publishWith({ findings }) : words.publish }}
      onPress={onPress}
    />
  );
}

/**
 * An older flow is published unchanged, though it cannot be edited; a bot that was archived or withdrawn cannot be
 * published.
 */
export function mayPublish({ bot, mode, editor }: OpenBot): boolean {
  const readOnly = editor.readOnly.value;
  return mode === "write" && !bot.value.isArchived && (readOnly === undefined || readOnly === "older");
}
