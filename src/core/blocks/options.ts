import { Type } from "@sinclair/typebox";
import { codeOption, edgeOption, textOption, titled, writtenVariableOption } from "../interpreter/schemas/fields.ts";

export {
  addressOption,
  advanced,
  blockOption,
  botOption,
  chosenOption,
  codeOption,
  credentialsOption,
  currencyOption,
  edgeOption,
  flagOption,
  groupOption,
  hiddenFromGuests,
  keptOption,
  longTextOption,
  marked,
  markupOption,
  markupTextOption,
  mediaOption,
  momentOption,
  numberOption,
  numberOrVariableOption,
  readVariableOption,
  shownWhen,
  suggestedOption,
  textOption,
  textsOption,
  titled,
  variableOption,
  whenEnabled,
  wordOption,
  writtenVariableOption,
  zoneOption,
} from "../interpreter/schemas/fields.ts";

/** The variable that keeps the answer: every input may name one. */
export const answerVariableOption = titled(
  "Save answer in",
  writtenVariableOption("Id of the variable that the answer is written to."),
);

export function retryMessageOption(byDefault?: string) {
  return titled(
    "When the reply is refused",
    textOption("What is said when the reply is refused; absent: the bot's own `invalidMessage`.", byDefault),
  );
}

/** The id of an item, by which edges and replies name it. */
export function itemId(description: string) {
  return Type.String({ description, title: "Id", widget: "kept" });
}

/** Where an item leads. */
export const leadsToOption = (description: string) => titled("Leads to", edgeOption(description));

/** The parts of a response that variables take, from `data` and `statusCode`: see `mapResponse`. */
export function responseMappingOption(description: string) {
  return titled(
    "Save in variables",
    Type.Optional(
      Type.Array(
        Type.Object({
          variableId: writtenVariableOption("Id of the variable that is set."),
          bodyPath: titled(
            "Value",
            codeOption(
              "JavaScript that gives the value from `data` and `statusCode`; where it fails, the variable stays as it is.",
            ),
          ),
        }),
        { description },
      ),
    ),
  );
}

/** The labels of an input with a field and a button. */
export function fieldLabelsOption(placeholder: string) {
  return Type.Optional(
    Type.Object(
      {
        placeholder: textOption("Shown in the empty field.", placeholder),
        button: textOption("Label of the button that sends.", "Send"),
      },
      { description: "The words of the input." },
    ),
  );
}
