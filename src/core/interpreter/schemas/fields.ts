import { type ObjectOptions, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type FieldMarks, marked } from "./field-marks.ts";
import { numberOrVariable } from "./schema.ts";

export { advanced, helped, marked, shownWhen, titled, whenEnabled } from "./field-marks.ts";

const currencies = "USD EUR GBP BRL CHF CAD AUD JPY INR MXN PLN SEK NOK DKK CZK ZAR NZD SGD HKD AED".split(" ");

/**
 * Schemas for the fields of stored documents: block options, themes and settings. The descriptions of the schemas are
 * the documentation. A default describes the meaning of an absent field and is never added to a response. A mark such
 * as address or colour is a hint for editors (`core/interpreter/schemas/field-marks.ts`). Other readers ignore it.
 */
export const option = {
  text,
  /** The id of a variable that the block writes: see `writtenVariables`. */
  writtenVariable: (description: string) => Type.Optional(Type.String({ description, namesWrittenVariable: true })),
  /** The id of a variable that the block reads. */
  readVariable: (description: string) => Type.Optional(Type.String({ description, namesReadVariable: true })),
  /** The id of a variable. The field is not marked as reading or writing the variable. */
  variable: textAs({ widget: "variable" }),
  /** JavaScript in which a variable is a value of the code, rather than part of a text. */
  code: (description: string) => Type.Optional(Type.String({ description, isCode: true })),
  /** Code in another language, in which a variable is inserted as text. */
  markup: (language: NonNullable<FieldMarks["language"]>, description: string, byDefault?: string) =>
    marked({ widget: "code", language }, text(description, byDefault)),
  /** A multi-line text. */
  longText: textAs({ widget: "longText" }),
  /** HTML whose text an author edits. */
  markupText: textAs({ widget: "markupText" }),
  suggested,
  /** One of these texts. Other texts may also be stored, because another program may support them. */
  chosen: (examples: readonly string[], description: string, byDefault?: string) =>
    marked({ widget: "choice", examples }, text(description, byDefault)),
  /** The target of a request, link or page. */
  address: textAs({ widget: "address" }),
  /** The address of a picture, video or audio file, which may be uploaded. */
  media: (holds: NonNullable<FieldMarks["holds"]>, description: string, byDefault?: string) =>
    marked({ widget: "media", holds }, text(description, byDefault)),
  color: textAs({ widget: "color" }),
  /** The id of a group of this bot, or of the bot in the field `botField`. */
  group: (description: string, botField?: string) =>
    marked({ widget: "group", ...(botField !== undefined && { botField }) }, text(description)),
  /** The id of a block of the group in the neighbouring field `groupId`. */
  block: textAs({ widget: "block" }),
  /** The id of a block of this type in any group. */
  blockOfType: (blockType: string, description: string) => marked({ widget: "block", blockType }, text(description)),
  bot: textAs({ widget: "bot" }),
  /** The id of credentials, whose type is fixed or stored in the field `credentialsTypeField`. */
  credentials: (description: string, of: Pick<FieldMarks, "credentialsType" | "credentialsTypeField"> = {}) =>
    marked({ widget: "credentials", ...of }, text(description)),
  /** A value of a service: see `remoteFields` of a block's definition. */
  remote: (description: string, dependsOn: readonly string[], byDefault?: string) =>
    marked({ widget: "remote", dependsOn }, text(description, byDefault)),
  zone: textAs({ widget: "zone" }),
  /** A date with or without a time. */
  moment: textAs({ widget: "moment" }),
  currency: (description: string, byDefault?: string) => suggested(currencies, description, byDefault),
  /** The id of an edge. Edges are drawn on the canvas and not edited in forms. */
  edge: textAs({ widget: "kept" }),
  /** A field of stored flows that authors do not edit, such as an id or a value that is no longer used. */
  kept: textAs({ widget: "kept", isAdvanced: true }),
  flag: (description: string, byDefault = false) => Type.Optional(Type.Boolean(described(description, byDefault))),
  number: (description: string, byDefault?: number) => Type.Optional(Type.Number(described(description, byDefault))),
  /** A number, or a reference to a variable that contains the number. */
  numberOrVariable: (description: string, byDefault?: number) =>
    Type.Optional(Type.Union(numberOrVariable.anyOf, described(description, byDefault))),
  word,
  texts: (description: string) => Type.Optional(Type.Array(Type.String(), { description, widget: "texts" })),
};

/** Marks a field that guests of a publicly shared bot must not see: see `withoutHidden`. */
export function hiddenFromGuests<T extends TSchema>(field: T): T {
  return { ...field, isHiddenFromGuests: true };
}

export function section<Fields extends TProperties>(inner: Fields, marks: ObjectOptions) {
  return Type.Optional(Type.Object(inner, marks));
}

function text(description: string, byDefault?: string) {
  return Type.Optional(Type.String(described(description, byDefault)));
}

function suggested(examples: readonly string[], description: string, byDefault?: string) {
  return marked({ widget: "suggestion", examples }, text(description, byDefault));
}

/** Defines an enumeration. Any other stored value is treated as absent. */
function word<const Word extends string>(words: readonly Word[], description: string, byDefault?: Word) {
  return Type.Optional(
    Type.Union(
      words.map((one) => Type.Literal(one)),
      described(description, byDefault),
    ),
  );
}

function textAs(marks: FieldMarks) {
  return (description: string, byDefault?: string) => marked(marks, text(description, byDefault));
}

function described<T>(description: string, byDefault: T | undefined): { description: string; default?: T } {
  return { description, ...(byDefault !== undefined && { default: byDefault }) };
}
