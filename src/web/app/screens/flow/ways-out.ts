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

/** Returns functions for a block's form that read and change the target groups of the block's items. */
export function useItemLeads({ editor }: OpenBot, blockId: string): NonNullable<FormContext["itemLeads"]> {
  return useMemo(() => {
    return {
      targetOf(edgeId) {
        const { groupId, blockId: targetId } = editor.store.edge(edgeId).value?.to ?? {};
        const found = groupId ?? editor.store.find.block(targetId ?? "")?.groupId;
        const group = found === undefined ? undefined : editor.store.group(found).value;
        return group && found !== undefined ? { groupId: found, title: textAt(group, "title") ?? "" } : undefined;
      },
      lead(itemId, groupId) {
        const block = editor.store.find.block(blockId)?.block ?? {};
        const from = outletsOfBlock(block).find((one) => one.kind === "item" && one.itemId === itemId);
        if (!from) return;
        if (groupId === undefined) run(editor, unlead, { from });
        else
          run(editor, lead, { from, to: { groupId }, title: textAt(editor.store.find.group(groupId), "title") ?? "" });
      },
    };
  }, [editor, blockId]);
}

function run<Args>(editor: OpenBot["editor"], command: Command<Args>, args: Args): void {
  const done = editor.run(command, args);
  announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
}

/** Returns functions for a block's form that read and change the block's exits. */
export function useWaysOut({ editor }: OpenBot, blockId: string): NonNullable<FormContext["waysOut"]> {
  return useMemo(() => {
    const outletOf = (name: WayOutName) => {
      const block = editor.store.find.block(blockId)?.block;
      return block && outletsOfBlock(block).find(({ kind }) => kind === name);
    };
    const lineOf = (name: WayOutName, holder: unknown): string =>
      wayOutLine(name, holder, currentWords(canvasWords).card.ways).text;
    return {
      targetOf(name) {
        const block = editor.store.block(blockId).value?.block;
        const edge = editor.store.edge(textAt(block, "options", name, "outgoingEdgeId") ?? "").value;
        const { groupId, blockId: targetId } = edge?.to ?? {};
        return groupId ?? editor.store.find.block(targetId ?? "")?.groupId;
      },
      add: (name) => run(editor, addWayOut, { blockId, name, line: lineOf(name, newWayOut(name)) }),
      remove(name) {
        const from = outletOf(name);
        const block = editor.store.find.block(blockId)?.block;
        if (from) run(editor, removeWayOut, { from, line: lineOf(name, valueAt(block, "options", name)) });
      },
      lead(name, groupId) {
        const from = outletOf(name);
        if (!from) return;
        if (groupId === undefined) run(editor, unlead, { from });
        else
          run(editor, lead, { from, to: { groupId }, title: textAt(editor.store.find.group(groupId), "title") ?? "" });
      },
    };
  }, [editor, blockId]);
}
