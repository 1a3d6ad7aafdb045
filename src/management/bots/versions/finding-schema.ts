import { Type } from "@sinclair/typebox";
import { severities } from "../../../core/lint/rule.ts";
import { rules } from "../../../core/lint/rules.ts";
import { oneOf } from "../../../platform/http/schemas.ts";

const idOf = (what: string) =>
  Type.Optional(Type.String({ description: `Id of the ${what} that the finding is about.` }));

export const findingExample = {
  rule: "dead_end",
  severity: "warning" as const,
  path: "groups[0].blocks[1].items[0]",
  message: 'If a visitor chooses "No", the chat ends without another message.',
  advice: "Connect this path to a group, for example to say goodbye if the chat should end there.",
  help: "docs/lint.md#dead_end",
  groupId: "gr1",
  groupTitle: "Qualify",
  blockId: "bl2",
  blockName: "Buttons",
  itemId: "it1",
};

/** A finding of the linter, as returned by publishing and linting. */
export const FindingSchema = Type.Object({
  rule: oneOf(
    rules.map(({ name }) => name),
    { description: "The rule that reported the finding." },
  ),
  severity: oneOf(severities, {
    description:
      "`error`: every chat fails immediately, so publishing is rejected; `warning`: probably a mistake; `info`: a note.",
  }),
  path: Type.String({ description: "Location in the flow, such as `groups[2].blocks[0]`." }),
  message: Type.String({ description: "The problem, in one sentence." }),
  advice: Type.String({ description: "The solution, in one sentence." }),
  help: Type.String({ description: "Path of the rule's documentation." }),
  groupId: idOf("group"),
  groupTitle: Type.Optional(Type.String({ description: "Title of the group in `groupId`." })),
  blockId: idOf("block"),
  blockName: Type.Optional(
    Type.String({ description: "Name under which authors know the block in `blockId`, such as `Buttons`." }),
  ),
  itemId: idOf("item"),
  edgeId: idOf("edge"),
  eventId: idOf("event"),
  variableId: idOf("variable"),
  variableName: Type.Optional(Type.String({ description: "Name of the missing variable that a text refers to." })),
  variableNames: Type.Optional(
    Type.Array(Type.String(), { description: "Names of all missing variables in the text, if there are several." }),
  ),
  isFixable: Type.Optional(
    Type.Boolean({ description: "True if the finding can be fixed automatically: see docs/lint.md." }),
  ),
});
