import { type Static, Type } from "@sinclair/typebox";
import { helped, hiddenFromGuests, marked, option, shownWhen, titled } from "../../options.ts";

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
  "Callback address",
] as const;

const custom = { type: ["Custom"] };

export const setVariableOptionsSchema = Type.Object({
  variableId: option.writtenVariable("Id of the variable that is set. Without it the block does nothing."),
  type: titled("Set to", option.word(presets, "The kind of value.", "Custom")),
  expressionToEvaluate: marked(
    { title: "Expression", shownWhen: custom },
    hiddenFromGuests(
      helped(
        "A text, or JavaScript such as `{{Score}} + 1`; empty clears the variable.",
        option.code(
          "`Custom`: a text, or JavaScript with variables in it, such as `{{Score}} + 1`; if it fails as code, it is a text. An empty expression clears the variable, and a single variable copies its text.",
        ),
      ),
    ),
  ),
  isCode: marked(
    { title: "It is code", shownWhen: custom, help: "Reports an error instead of saving the expression as text." },
    option.flag("`Custom`: whether the expression is meant as code, so that its failures are reported."),
  ),
  saveErrorInVariableId: marked(
    { title: "Save errors in", shownWhen: { ...custom, isCode: [true] } },
    option.writtenVariable(
      "`Custom` with `isCode`: id of the variable that the error of code that failed is written to.",
    ),
  ),
  expressionDescription: marked(
    { title: "Note", isAdvanced: true, shownWhen: custom },
    option.text("The author's description of the expression."),
  ),
  isExecutedOnClient: marked(
    { title: "Run in the visitor's browser", isAdvanced: true, shownWhen: custom },
    option.flag("`Custom`: whether the visitor's client runs the expression; the flow waits for its value."),
  ),
  isUnsafe: marked(
    { isAdvanced: true, shownWhen: custom, help: "Set by an import: the browser does not trust this code." },
    option.flag("Whether the client should treat the code as untrusted. An import sets it."),
  ),
  item: marked(
    { title: "Value", shownWhen: { type: ["Append value(s)"] } },
    option.text("`Append value(s)`: the element that is appended.", ""),
  ),
  timeZone: shownWhen(
    { type: ["Now", "Yesterday", "Tomorrow"] },
    helped(
      "Leave it empty for UTC.",
      option.zone(
        "`Now`, `Yesterday`, `Tomorrow`: an IANA time zone to print the time in; absent: UTC with milliseconds.",
      ),
    ),
  ),
  mapListItemParams: marked(
    {
      title: "Look up",
      shownWhen: { type: ["Map item with same index"] },
      help: "Takes from one list what has the same place in another.",
    },
    option.part(
      "`Map item with same index`: the item to look up. If something is missing or not found, the variable is cleared.",
      {
        baseItemVariableId: titled("Item", option.readVariable("Id of the variable that holds the item.")),
        baseListVariableId: titled(
          "List it is in",
          option.readVariable("Id of the variable that holds the list in which the item is looked up."),
        ),
        targetListVariableId: titled(
          "List to take from",
          option.readVariable("Id of the variable that holds the list whose element at the same place is taken."),
        ),
      },
    ),
  ),
  blockId: marked(
    {
      title: "Block that waits",
      shownWhen: { type: ["Callback address"] },
      help: "Other programs can call the address while the chat waits there.",
    },
    option.blockOfType(
      "webhook",
      "`Callback address`: the `webhook` block at which the chat waits for the call. With the address, any program can call this chat there, once for each time it waits.",
    ),
  ),
  saveItemInVariableId: marked(
    { title: "Save what is removed in", shownWhen: { type: ["Pop", "Shift"] } },
    option.writtenVariable("`Pop`, `Shift`: id of the variable that the removed element is written to."),
  ),
});

export type SetVariableOptions = Static<typeof setVariableOptionsSchema>;

/** Presets whose values are computed without code and without an effect. */
export type ServerPreset = Exclude<
  (typeof presets)[number],
  "Custom" | "Transcript" | "Callback address" | "Device type" | "Moment of the day"
>;
