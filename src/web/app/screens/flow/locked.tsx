import { useComputed } from "@preact/signals";
import { isGroupLocked, lock } from "../../editor/commands/locks.ts";
import type { OpenBot } from "../../editor/index.ts";
import { announce, Banner, Button } from "../../ui/index.ts";
import canvasMenuWords from "../../words/en/canvas-menu.json";
import panelWords from "../../words/en/panel.json";
import { useWords } from "../../words/index.ts";

/**
 * Returns the ids of the given groups that are locked, joined with spaces. The result is a string, so that typing
 * elsewhere does not change it.
 */
export function useLocked({ editor }: OpenBot, groupIds: readonly (string | undefined)[]): string {
  const ids = [...new Set(groupIds)].join(" ");
  return useComputed(() => {
    const draft = editor.store.draft.value;
    return ids
      .split(" ")
      .filter((id) => isGroupLocked(draft, id))
      .join(" ");
  }).value;
}

/** Explains that the shown objects are in locked groups, with a button that unlocks these groups. */
export function LockedNote({ bot: { editor }, locked }: { readonly bot: OpenBot; readonly locked: string }) {
  const { panel: words } = useWords(panelWords);
  const { bar } = useWords(canvasMenuWords);
  if (locked === "") return null;
  const unlock = (): void => {
    const done = editor.run(lock, { groupIds: locked.split(" "), isLocked: false });
    announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
  };
  const isReadOnly = editor.readOnly.value !== undefined;
  return (
    <Banner
      text={words.locked}
      action={!isReadOnly && <Button label={bar.unlock} size="s" icon="lock" onPress={unlock} />}
    />
  );
}
