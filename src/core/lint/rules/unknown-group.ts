import { placeIn } from "../facts.ts";
import { eachWay, type LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const unknownGroup: Rule = {
  name: "unknown_group",
  severity: "warning",
  about:
    "A jump names a group, or a block of it, that does not exist: the chat ends there. A link into a group that the flow or the linked bot does not have is skipped. Groups that a variable names are not checked.",
  advice: "Choose a group that exists.",
  needsWorkspace: true,
  *find(flow) {
    for (const { linted, way } of eachWay(flow)) {
      const found = way.kind === "jump" ? lostJump(flow, way) : way.kind === "link" ? lostLink(flow, way) : undefined;
      if (!found) continue;
      yield { ...placeIn(linted, `options.${found.at}`), message: found.message };
    }
  },
};

type Lost = Pick<Found, "message"> & { readonly at: "groupId" | "blockId" };

/** Returns the missing target of a jump, or undefined if the target exists. */
export function lostJump(
  { program }: LintedFlow,
  { groupId, blockId }: { groupId: string; blockId?: string },
): Lost | undefined {
  const group = program.groups.get(groupId);
  if (!group) return { at: "groupId", message: "It jumps to a group that does not exist." };
  if (blockId === undefined || group.blocks.some(({ id }) => id === blockId)) return undefined;
  return { at: "blockId", message: "It jumps to a block that its group does not have." };
}

function lostLink(
  { program, facts }: LintedFlow,
  { botId, groupId }: { botId: string; groupId?: string },
): Lost | undefined {
  if (groupId === undefined || groupId.includes("{{")) return undefined;
  const groups = botId === "current" ? program.groups : facts.linkedBots?.get(botId)?.groupIds;
  if (!groups || groups.has(groupId)) return undefined;
  return { at: "groupId", message: "It leads to a group that does not exist, so it is skipped." };
}
