import { textAt } from "../../interpreter/flow.ts";
import { singleReference } from "../../interpreter/language/template.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import type { ProgramGroup } from "../../interpreter/program/program.ts";
import type { View } from "../../interpreter/program/view.ts";
import { blockSchema, helped, option } from "../options.ts";
import examples from "./examples.json";

const schema = blockSchema({
  groupId: option.group(
    "The group to jump to: its id, or a variable with its title. Without a group, the block has no effect.",
  ),
  blockId: helped(
    "Leave it empty for the first block of the group.",
    option.block("The block of the group to jump to. Defaults to the group's first block."),
  ),
});

export const jump = defineLogic({
  type: "Jump",
  summary: "Continues in another group. A `Return` block there returns to the block after the jump.",
  schema,
  run({ id, options }, view) {
    const { groupId, blockId } = options ?? {};
    if (!groupId) return { kind: "next" };
    const { group, groupIdOrTitle } = find(groupId, view);
    if (!group) return failed("Group to jump to is not found", { groupIdOrTitle, jumpBlockId: id });
    if (!blockId) return { kind: "jump", groupId: group.id };
    if (!group.blocks.some((block) => block.id === blockId)) {
      return failed("Block to jump to is not found", { groupIdOrTitle, blockId, jumpBlockId: id });
    }
    return { kind: "jump", groupId: group.id, blockId };
  },
  ways(stored) {
    const groupId = textAt(stored.options, "groupId");
    const blockId = textAt(stored.options, "blockId");
    if (!groupId) return { waits: false, ways: [{ kind: "next" }] };
    if (singleReference(groupId) !== undefined) return { waits: false, ways: [{ kind: "anywhere" }] };
    return { waits: false, ways: [{ kind: "jump", groupId, ...(blockId && { blockId }) }] };
  },
  editor: {
    name: "Jump",
    icon: "corner-down-right",
    words: ["go to", "goto", "group", "loop", "back"],
    row: ["{options.groupId}"],
    related: ["Typebot link"],
  },
  examples: examples["Jump"],
});

type Found = { readonly group: ProgramGroup | undefined; readonly groupIdOrTitle: string };

function find(groupId: string, { program, variables }: View): Found {
  const name = singleReference(groupId);
  if (name === undefined) return { group: program.groups.get(groupId), groupIdOrTitle: groupId };
  const title = variables.byName(name);
  if (typeof title !== "string" || title === "") return { group: undefined, groupIdOrTitle: groupId };
  return { group: program.groupsByTitle.get(title), groupIdOrTitle: title };
}

function failed(description: string, details: Readonly<Record<string, string>>): Outcome {
  return {
    kind: "stop",
    logs: [{ context: "Error while executing Jump block", description, details: JSON.stringify(details) }],
  };
}
