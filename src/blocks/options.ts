import { Type } from "@sinclair/typebox";
import { numberOrVariable } from "../interpreter/schema.ts";

/**
 * The parts that options are made of. The descriptions are the documentation of blocks; a default is what holds where the
 * author left the option out, and is never written into what a client gets.
 */
export function textOption(description: string, byDefault?: string) {
  return Type.Optional(Type.String(described(description, byDefault)));
}

export function flagOption(description: string, byDefault = false) {
  return Type.Optional(Type.Boolean(described(description, byDefault)));
}

export function numberOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Number(described(description, byDefault)));
}

/** A number, or one variable reference that gives it. */
export function numberOrVariableOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Union(numberOrVariable.anyOf, described(description, byDefault)));
}

/** One of some words; any other counts as left out. */
export function wordOption<const Word extends string>(words: readonly Word[], description: string, byDefault?: Word) {
  return Type.Optional(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      described(description, byDefault),
    ),
  );
}

/** The variable that keeps the answer: every input may name one. */
export const answerVariableOption = textOption("Id of the variable that the answer is written to.");

/** What the visitor is told when the reply is refused. */
export function retryMessageOption(byDefault?: string) {
  return textOption("What is said when the reply is refused; absent: the bot's own `invalidMessage`.", byDefault);
}

/** The labels of an input with a field and a button. */
export function fieldLabelsOption(placeholder: string) {
  return Type.Optional(
    Type.Object({
      placeholder: textOption("Shown in the empty field.", placeholder),
      button: textOption("Label of the button that sends.", "Send"),
    }),
  );
}

function described<T>(description: string, byDefault: T | undefined): { description: string; default?: T } {
  return { description, ...(byDefault !== undefined && { default: byDefault }) };
}
