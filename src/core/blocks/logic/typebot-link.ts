import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { singleReference } from "../../interpreter/language/template.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import type { Link } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { logged } from "../logged.ts";
import { blockSchema, helped, option, titled } from "../options.ts";
import examples from "./examples.json";

const schema = blockSchema({
  typebotId: titled("Bot", option.bot("Id of the linked bot, or `current`.")),
  groupId: helped(
    "Leave it empty for the start of the bot.",
    option.group(
      "The group to start at: its id, or one variable that contains its title. Defaults to the flow's start.",
      "typebotId",
    ),
  ),
  mergeResults: Type.Optional(
    Type.Boolean({
      title: "Merge answers and variables",
      description:
        "Whether answers and variables are merged into this chat. Defaults to false, and to true in flows before version 6.",
    }),
  ),
});

const failed = "Failed to link typebot";

export const typebotLink = defineLogic({
  type: "Typebot link",
  summary: "Runs another bot's flow, or this flow from another group, and returns when that flow has ended.",
  schema,
  run(block, view) {
    const { typebotId, groupId, mergeResults } = block.options ?? {};
    if (!typebotId) return logged(block, { description: failed, details: "Typebot ID is not specified" });
    const isMerging = mergeResults ?? view.program.isLegacy;
    if (typebotId === "current")
      return { kind: "link", program: "current", isMerging, resultId: null, ...groupOf(groupId, view) };
    return {
      kind: "perform",
      effect: { kind: "linkedFlow", fromBotId: view.program.botId, botId: typebotId, isLive: view.isLive },
    };
  },
  report(block, view, report) {
    const { typebotId, groupId, mergeResults } = block.options ?? {};
    if (report.kind !== "linkedFlow" || report.program === null) {
      return logged(block, { description: failed, details: `Typebot with ID ${typebotId} not found` });
    }
    const { program, resultId } = report;
    return {
      kind: "link",
      program,
      resultId,
      isMerging: mergeResults ?? view.program.isLegacy,
      ...groupOf(groupId, view),
    };
  },
  ways(stored) {
    const botId = textAt(stored.options, "typebotId");
    const groupId = textAt(stored.options, "groupId");
    if (!botId) return { waits: false, ways: [{ kind: "on" }] };
    if (botId === "current" && groupId && singleReference(groupId) !== undefined)
      return { waits: false, ways: [{ kind: "anywhere" }, { kind: "on" }] };
    return { waits: false, ways: [{ kind: "link", botId, ...(groupId && { groupId }) }, { kind: "on" }] };
  },
  editor: {
    name: "Link to a bot",
    icon: "workflow",
    words: ["typebot", "subflow", "sub-bot", "nested", "reuse"],
    row: ["{options.typebotId}: {options.groupId}", "{options.typebotId}"],
    related: ["Jump"],
  },
  examples: examples["Typebot link"],
});

/**
 * Returns the group that a link refers to. A variable reference contains the title of the group, and any other text is
 * the group's id.
 */
function groupOf(groupId: string | undefined, view: View): Pick<Link, "group"> {
  if (!groupId) return {};
  const isTitle = singleReference(groupId) !== undefined;
  return { group: isTitle ? { title: view.text(groupId) } : { id: groupId } };
}
