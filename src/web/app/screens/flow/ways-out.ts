import { useMemo } from "preact/hooks";
import { outletsOfBlock } from "../../../../core/editing/references/outlets.ts";
import { textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import type { WayOutName } from "../../../../core/interpreter/schemas/own-keys.ts";
import type { Command } from "../../editor/commands/command.ts";
import { lead, unlead } from "../../editor/commands/groups.ts";
import { addWayOut, newWayOut, removeWayOut } from "../../editor/commands/ways-out.ts";
import type { OpenBot } from "../../editor/index.ts";
import type { FormContext } from "../../forms/index.ts";
import { wayOutLine } from "../../forms/way-out.ts";
import { announce } from "../../ui/index.ts";
import canvasWords from "../../words/en/canvas.json";
import { currentWords } from "../../words/language.ts";

/** The ways out of a block, for its form. */
export function useWaysOut({ editor }: OpenBot, blockId: string): NonNullable<FormContext["waysOut"]> {
  return useMemo(() => {
    const outletOf = (name: WayOutName) => {
      const block = editor.store.find.block(blockId)?.block;
      return block && outletsOfBlock(block).find(({ kind }) => kind === name);
    };
    const lineOf = (name: WayOutName, holder: unknown): string =>
      wayOutLine(name, holder, currentWords(canvasWords).card.ways).text;
    const run = <Args>(command: Command<Args>, args: Args): void => {
      const done = editor.run(command, args);
      announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
    };
    return {
      targetOf(name) {
        const block = editor.store.block(blockId).value?.block;
        const edge = editor.store.edge(textAt(block, "options", name, "outgoingEdgeId") ?? "").value;
        const { groupId, blockId: targetId } = edge?.to ?? {};
        return groupId ?? editor.store.find.block(targetId ?? "")?.groupId;
      },
      add: (name) => run(addWayOut, { blockId, name, line: lineOf(name, newWayOut(name)) }),
      remove(name) {
        const from = outletOf(name);
        const block = editor.store.find.block(blockId)?.block;
        if (from) run(removeWayOut, { from, line: lineOf(name, valueAt(block, "options", name)) });
      },
      lead(name, groupId) {
        const from = outletOf(name);
        if (!from) return;
        if (groupId === undefined) run(unlead, { from });
        else run(lead, { from, to: { groupId }, title: textAt(editor.store.find.group(groupId), "title") ?? "" });
      },
    };
  }, [editor, blockId]);
}
