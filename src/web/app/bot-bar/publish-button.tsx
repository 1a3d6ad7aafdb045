import type { OpenBot } from "../editor/index.ts";
import { Badge, Button, later } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";

/** The dialog before a publication. Its code is loaded when the dialog is first opened. */
export const PublishDialog = later(async () => (await import("./publish-dialog.tsx")).PublishDialog);

/** The button that opens the dialog for publishing, with the number of findings of all severities. */
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
 * Whether this person may publish the draft, which requires write access to a bot that is not archived. A flow in an
 * older format cannot be edited but can be published unchanged.
 */
export function mayPublish({ bot, mode, editor }: OpenBot): boolean {
  const readOnly = editor.readOnly.value;
  return mode === "write" && !bot.value.isArchived && (readOnly === undefined || readOnly === "older");
}
