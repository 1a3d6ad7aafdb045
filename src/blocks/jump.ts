import { Type } from "@sinclair/typebox";
import { defineBlock } from "../interpreter/block.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import type { ProgramGroup } from "../interpreter/program.ts";
import { singleReference } from "../interpreter/template.ts";
import type { View } from "../interpreter/view.ts";
import { textOption } from "./options.ts";

const schema = Type.Object({
  options: Type.Optional(
    Type.Object({
      groupId: textOption("The group to go on at: its id, or one variable that holds its title. Without it the block does nothing."),
      blockId: textOption("The block of that group to go on at; absent: its first."),
    }),
  ),
});

/** Goes on in another group; a `Return` block comes back. */
export const jump = defineBlock({
  type: "Jump",
  family: "logic",
  summary: "Goes on in another group; a `Return` block there comes back to what follows the jump.",
  schema,
  run({ id, options }, view) {
    const { groupId, blockId } = options ?? {};
    if (!groupId) return { kind: "next" };
    const group = groupOf(groupId, view);
    if (!group) return failed("Group to jump to is not found", { groupIdOrTitle: groupId, jumpBlockId: id });
    if (!blockId) return { kind: "jump", groupId: group.id };
    if (!group.blocks.some((block) => block.id === blockId)) {
      return failed("Block to jump to is not found", { groupIdOrTitle: groupId, blockId, jumpBlockId: id });
    }
    return { kind: "jump", groupId: group.id, blockId };
  },
  examples: [
    { title: "Without a group the flow just goes on.", block: { options: {} }, expect: { messages: [], actions: [] } },
  ],
});

function groupOf(idOrReference: string, view: View): ProgramGroup | undefined {
  const name = singleReference(idOrReference);
  if (name === undefined) return view.program.groups.get(idOrReference);
  const title = view.variables.byName(name);
  return typeof title === "string" ? view.program.groupsByTitle.get(title) : undefined;
}

function failed(description: string, details: Readonly<Record<string, string>>): Outcome {
  return { kind: "stop", logs: [{ context: "Error while executing Jump block", description, details: JSON.stringify(details) }] };
}
