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
  variableId: option.writtenVariable("Id of the variable to set. Without it, the block has no effect."),
  type: titled("Set to", option.word(presets, "The kind of value.", "Custom")),
  expressionToEvaluate: marked(
    { title: "Expression", shownWhen: custom },
    hiddenFromGuests(
      helped(
        "A text, or JavaScript such as `{{Score}} + 1`; an empty expression clears the variable.",
        option.code(
          "For `Custom`: a text, or JavaScript that can contain variables, such as `{{Score}} + 1`. If it fails as code, it is treated as text. An empty expression clears the variable, and a single variable copies its text.",
        ),
      ),
    ),
  ),
  isCode: marked(
    { title: "It is code", shownWhen: custom, help: "Reports an error instead of saving the expression as text." },
    option.flag("For `Custom`: whether the expression is code, so that its errors are reported."),
  ),
  saveErrorInVariableId: marked(
    { title: "Save errors in", shownWhen: { ...custom, isCode: [true] } },
    option.writtenVariable(
      "For `Custom` with `isCode`: id of the variable that stores the error message of failed code.",
    ),
  ),
  expressionDescription: marked(
    { title: "Note", isAdvanced: true, shownWhen: custom },
    option.text("The author's description of the expression."),
  ),
  isExecutedOnClient: marked(
    { title: "Run in the visitor's browser", isAdvanced: true, shownWhen: custom },
    option.flag("For `Custom`: whether the visitor's client runs the expression. The flow waits for its value."),
  ),
  isUnsafe: marked(
    { isAdvanced: true, shownWhen: custom, help: "Set by an import: the browser does not trust this code." },
    option.flag("Whether the client should treat the code as untrusted. Imports set this."),
  ),
  item: marked(
    { title: "Value", shownWhen: { type: ["Append value(s)"] } },
    option.text("For `Append value(s)`: the element to append.", ""),
  ),
  timeZone: shownWhen(
    { type: ["Now", "Yesterday", "Tomorrow"] },
    helped(
      "Leave it empty for UTC.",
      option.zone(
        "For `Now`, `Yesterday` and `Tomorrow`: the IANA time zone of the value. Defaults to UTC with milliseconds.",
      ),
    ),
  ),
  mapListItemParams: marked(
    {
      title: "Look up",
      shownWhen: { type: ["Map item with same index"] },
      help: "Finds an item in one list, and returns the item at the same position in another list.",
    },
    option.part(
      "For `Map item with same index`: the item to look up. If the item or a list is missing or not found, the variable is cleared.",
      {
        baseItemVariableId: titled("Item", option.readVariable("Id of the variable that contains the item.")),
        baseListVariableId: titled(
          "List that contains it",
          option.readVariable("Id of the variable with the list that contains the item."),
        ),
        targetListVariableId: titled(
          "List with the new value",
          option.readVariable("Id of the variable with the list whose element at the same position is returned."),
        ),
      },
    ),
  ),
  blockId: marked(
    {
      title: "Block that waits",
      shownWhen: { type: ["Callback address"] },
      help: "Other programs can call the address while the chat waits at this block.",
    },
    option.blockOfType(
      "webhook",
      "For `Callback address`: the `webhook` block at which the chat waits for the call. Any program can use the address to call this chat, once each time the chat waits there.",
    ),
  ),
  saveItemInVariableId: marked(
    { title: "Save removed element in", shownWhen: { type: ["Pop", "Shift"] } },
    option.writtenVariable("For `Pop` and `Shift`: id of the variable that stores the removed element."),
  ),
});

export type SetVariableOptions = Static<typeof setVariableOptionsSchema>;

/** Presets whose values are computed without code and without an effect. */
export type ServerPreset = Exclude<
  (typeof presets)[number],
  "Custom" | "Transcript" | "Callback address" | "Device type" | "Moment of the day"
>;
