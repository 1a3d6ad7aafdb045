import { type Static, Type } from "@sinclair/typebox";
import {
  codeOption,
  flagOption,
  hiddenFromGuests,
  readVariableOption,
  textOption,
  wordOption,
  writtenVariableOption,
} from "../../options.ts";

const presets = [
  "Custom",
  "Empty",
  "Append value(s)",
  "Environment name",
  "Device type",
  "Transcript",
  "User ID",
  "Result ID",
  "Now",
  "Today",
  "Yesterday",
  "Tomorrow",
  "Random ID",
  "Moment of the day",
  "Map item with same index",
  "Pop",
  "Shift",
  "Phone number",
  "Contact name",
  "Referral Click ID",
  "Referral Source ID",
] as const;

export const setVariableOptionsSchema = Type.Object({
  variableId: writtenVariableOption("Id of the variable that is set. Without it the block does nothing."),
  type: wordOption(presets, "What the variable is set to.", "Custom"),
  expressionToEvaluate: hiddenFromGuests(
    codeOption(
      "`Custom`: JavaScript, with variables in it; where it fails as code it is a text. Nothing clears the variable, and one variable alone copies its text.",
    ),
  ),
  isCode: flagOption("`Custom`: whether the expression is meant as code, so that its failures are reported."),
  saveErrorInVariableId: writtenVariableOption(
    "`Custom` with `isCode`: id of the variable that the error of code that failed is written to.",
  ),
  expressionDescription: textOption("What the expression is for, for its author."),
  isExecutedOnClient: flagOption(
    "`Custom`: whether the visitor's client runs the expression; the flow waits for its value.",
  ),
  isUnsafe: flagOption("Whether the client should mistrust the code: set on imported flows."),
  item: textOption("`Append value(s)`: the element that is appended.", ""),
  timeZone: textOption(
    "`Now`, `Yesterday`, `Tomorrow`: an IANA time zone to print the time in; absent: UTC with milliseconds.",
  ),
  mapListItemParams: Type.Optional(
    Type.Object(
      {
        baseItemVariableId: readVariableOption("Id of the variable that holds the item."),
        baseListVariableId: readVariableOption(
          "Id of the variable that holds the list in which the item is looked up.",
        ),
        targetListVariableId: readVariableOption(
          "Id of the variable that holds the list whose element at the same place is taken.",
        ),
      },
      {
        description:
          "`Map item with same index`: what is looked up. Anything that is missing or not found clears the variable.",
      },
    ),
  ),
  saveItemInVariableId: writtenVariableOption(
    "`Pop`, `Shift`: id of the variable that the removed element is written to.",
  ),
});

export type SetVariableOptions = Static<typeof setVariableOptionsSchema>;

/** Presets whose value needs neither code nor an effect. */
export type ServerPreset = Exclude<
  (typeof presets)[number],
  "Custom" | "Transcript" | "Device type" | "Moment of the day"
>;
