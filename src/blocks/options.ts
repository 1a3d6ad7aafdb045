import { Type } from "@sinclair/typebox";
import { codeOption, textOption, writtenVariableOption } from "../interpreter/fields.ts";

export {
  codeOption,
  flagOption,
  hiddenFromGuests,
  numberOption,
  numberOrVariableOption,
  readVariableOption,
  textOption,
  wordOption,
  writtenVariableOption,
} from "../interpreter/fields.ts";

/** The variable that keeps the answer: every input may name one. */
export const answerVariableOption = writtenVariableOption("Id of the variable that the answer is written to.");

export function retryMessageOption(byDefault?: string) {
  return textOption("What is said when the reply is refused; absent: the bot's own `invalidMessage`.", byDefault);
}

/** What variables take from `data` and `statusCode` of a response: see `mapResponse`. */
export function responseMappingOption(description: string) {
  return Type.Optional(
    Type.Array(
      Type.Object({
        variableId: writtenVariableOption("Id of the variable that is set."),
        bodyPath: codeOption(
          "JavaScript that gives the value from `data` and `statusCode`; where it fails, the variable stays as it is.",
        ),
      }),
      { description },
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
