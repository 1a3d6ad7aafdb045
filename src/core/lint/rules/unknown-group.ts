import { placeIn } from "../facts.ts";
import { eachWay, type LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const unknownGroup: Rule = {
  name: "unknown_group",
  severity: "warning",
  about:
    "A jump refers to a group or block that does not exist, so the chat ends there. Parley skips a link to a group that the flow or the linked bot does not have. Groups that come from a variable are not checked.",
  advice: "Choose an existing group.",
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

/** Describes the missing target of a jump. Returns undefined if the target exists. */
export function lostJump(
  { program }: LintedFlow,
  { groupId, blockId }: { groupId: string; blockId?: string },
): Lost | undefined {
  const group = program.groups.get(groupId);
  if (!group) return { at: "groupId", message: "The jump leads to a group that does not exist." };
  if (blockId === undefined || group.blocks.some(({ id }) => id === blockId)) return undefined;
  return { at: "blockId", message: "The jump leads to a block that its group does not contain." };
}

function lostLink(
  { program, facts }: LintedFlow,
  { botId, groupId }: { botId: string; groupId?: string },
): Lost | undefined {
  if (groupId === undefined || groupId.includes("{{")) return undefined;
  const groups = botId === "current" ? program.groups : facts.linkedBots?.get(botId)?.groupIds;
  if (!groups || groups.has(groupId)) return undefined;
  return { at: "groupId", message: "The link leads to a group that does not exist, so it is skipped." };
}
