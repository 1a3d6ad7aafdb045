import { type TProperties, Type } from "@sinclair/typebox";
import { codeOption, edgeOption, textOption, titled, writtenVariableOption } from "../interpreter/schemas/fields.ts";

export * from "../interpreter/schemas/fields.ts";

/** The schema of a block type of which only options are stored. */
export function blockSchema<Fields extends TProperties>(options: Fields) {
  return Type.Object({ options: Type.Optional(Type.Object(options)) });
}

/** Fields that belong together, as an object of their own. */
export function partOption<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Optional(Type.Object(fields, { description }));
}

/** A list of objects with these fields. */
export function listOption<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Optional(Type.Array(Type.Object(fields), { description }));
}

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
    listOption(description, {
      variableId: writtenVariableOption("Id of the variable that is set."),
      bodyPath: titled(
        "Value",
        codeOption(
          "JavaScript that gives the value from `data` and `statusCode`; where it fails, the variable stays as it is.",
        ),
      ),
    }),
  );
}

/** The labels of an input with a field and a button. */
export function fieldLabelsOption(placeholder: string) {
  return partOption("The words of the input.", {
    placeholder: textOption("Shown in the empty field.", placeholder),
    button: textOption("Label of the button that sends.", "Send"),
  });
}
