import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { textAt } from "../../../../core/interpreter/flow.ts";
import { setInBlocks } from "../../editor/commands/blocks.ts";
import type { OpenBot } from "../../editor/index.ts";
import { commonOf, Form, type FormContext, titleAt, useBlockTypes } from "../../forms/index.ts";
import { announce, EmptyState } from "../../ui/index.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";
import { useFormContext } from "../form-context.ts";
import { LockedNote, useLocked } from "./locked.tsx";
import { PanelHeading } from "./panel-heading.tsx";

/** One form for several blocks: the fields that all of them know, and one act for a new value. */
export function SeveralPanel({ bot, blockIds }: { readonly bot: OpenBot; readonly blockIds: readonly string[] }) {
  const { panel: words } = useWords(panelWords);
  const types = useBlockTypes();
  const { editor } = bot;
  const groupIds = useComputed(() => blockIds.map((id) => editor.store.block(id).value?.groupId).join(" ")).value;
  const locked = useLocked(bot, groupIds.split(" "));
  const plain = useFormContext(bot, locked !== "");
  const blocks = useComputed(() => blockIds.flatMap((id) => editor.store.block(id).value?.block ?? [])).value;
  const common = useMemo(
    () =>
      commonOf(
        blocks.map((block) => ({ schema: types?.get(textAt(block, "type") ?? "")?.schema ?? {}, value: block })),
      ),
    [blocks, types],
  );
  const context = useMemo((): FormContext => ({ ...plain, mixed: common.mixed }), [plain, common]);
  const onSet = useMemo(
    () => (path: readonly (string | number)[], value: unknown) => {
      const title = titleAt(common.schema ?? {}, path);
      const done = editor.run(setInBlocks, { blockIds, path, value, title });
      if (done.kind === "refused") announce(done.sentence, "assertive");
    },
    [editor, blockIds, common.schema],
  );
  if (!types) return null;
  const counts = new Map<string, number>();
  for (const block of blocks) {
    const type = textAt(block, "type") ?? "";
    const name = types.get(type)?.editor.name ?? type;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const kinds = [...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(", ");
  return (
    <div class="panel-form">
      <PanelHeading icon="layers" name={words.several(blocks.length)} summary={kinds} />
      <LockedNote bot={bot} locked={locked} />
      {common.schema ? (
        <>
          <p class="panel-note">{words.severalHelp}</p>
          <Form schema={common.schema} value={common.value} onSet={onSet} context={context} />
        </>
      ) : (
        <EmptyState icon="layers" title={words.nothingShared} />
      )}
    </div>
  );
}
