import { type ObjectOptions, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type FieldMarks, marked } from "./field-marks.ts";
import { numberOrVariable } from "./schema.ts";

export { advanced, helped, marked, shownWhen, titled, whenEnabled } from "./field-marks.ts";

const currencies = "USD EUR GBP BRL CHF CAD AUD JPY INR MXN PLN SEK NOK DKK CZK ZAR NZD SGD HKD AED".split(" ");

/**
 * Schemas of the fields of stored documents: options of blocks, themes, settings. Descriptions are their documentation.
 * A default is the meaning of an absent field, and is never written into a response. The use of a field, such as an
 * address or a colour, is a mark for editors (`core/interpreter/schemas/field-marks.ts`), which other readers ignore.
 */
export const option = {
  text,
  /** The id of a variable that the block writes: see `writtenVariables`. */
  writtenVariable: (description: string) => Type.Optional(Type.String({ description, namesWrittenVariable: true })),
  /** The id of a variable that the block reads. */
  readVariable: (description: string) => Type.Optional(Type.String({ description, namesReadVariable: true })),
  /** The id of a variable that no run reads or writes by this field. */
  variable: textAs({ widget: "variable" }),
  /** JavaScript: a variable in the text is a value of the code, not a part of a text. */
  code: (description: string) => Type.Optional(Type.String({ description, isCode: true })),
  /** Code of another language: a variable in the code is a part of the text. */
  markup: (language: NonNullable<FieldMarks["language"]>, description: string, byDefault?: string) =>
    marked({ widget: "code", language }, text(description, byDefault)),
  /** A text of several lines. */
  longText: textAs({ widget: "longText" }),
  /** HTML of which an author writes the text. */
  markupText: textAs({ widget: "markupText" }),
  suggested,
  /** One of these texts. Other texts may be stored: another program may understand them. */
  chosen: (examples: readonly string[], description: string, byDefault?: string) =>
    marked({ widget: "choice", examples }, text(description, byDefault)),
  /** The target of a request, a link or a page. */
  address: textAs({ widget: "address" }),
  /** The address of a picture, a film or a sound, which may be uploaded. */
  media: (holds: NonNullable<FieldMarks["holds"]>, description: string, byDefault?: string) =>
    marked({ widget: "media", holds }, text(description, byDefault)),
  color: textAs({ widget: "color" }),
  /** The id of a group of this bot, or of the bot that the field `botField` names. */
  group: (description: string, botField?: string) =>
    marked({ widget: "group", ...(botField !== undefined && { botField }) }, text(description)),
  /** The id of a block of the group in the neighbouring field `groupId`. */
  block: textAs({ widget: "block" }),
  /** The id of a block of this type, in any group. */
  blockOfType: (blockType: string, description: string) => marked({ widget: "block", blockType }, text(description)),
  /** The id of a bot. */
  bot: textAs({ widget: "bot" }),
  /** The id of credentials: of a fixed type, or of the type in the field `credentialsTypeField`. */
  credentials: (description: string, of: Pick<FieldMarks, "credentialsType" | "credentialsTypeField"> = {}) =>
    marked({ widget: "credentials", ...of }, text(description)),
  /** A value of a service: see `remoteFields` of a block's definition. */
  remote: (description: string, dependsOn: readonly string[], byDefault?: string) =>
    marked({ widget: "remote", dependsOn }, text(description, byDefault)),
  /** An IANA time zone. */
  zone: textAs({ widget: "zone" }),
  /** A date, or a date with a time. */
  moment: textAs({ widget: "moment" }),
  /** The code of a currency. */
  currency: (description: string, byDefault?: string) => suggested(currencies, description, byDefault),
  /** The id of the block's edge: made by drawing a line, not in a form. */
  edge: textAs({ widget: "kept" }),
  /** A field of stored flows that no longer has a use. */
  kept: textAs({ widget: "kept", isAdvanced: true }),
  flag: (description: string, byDefault = false) => Type.Optional(Type.Boolean(described(description, byDefault))),
  number: (description: string, byDefault?: number) => Type.Optional(Type.Number(described(description, byDefault))),
  /** A number, or a reference to a variable that holds one. */
  numberOrVariable: (description: string, byDefault?: number) =>
    Type.Optional(Type.Union(numberOrVariable.anyOf, described(description, byDefault))),
  word,
  /** Several texts. */
  texts: (description: string) => Type.Optional(Type.Array(Type.String(), { description, widget: "texts" })),
};

/** A field that a guest of a publicly shared bot does not see: see `withoutHidden`. */
export function hiddenFromGuests<T extends TSchema>(field: T): T {
  return { ...field, isHiddenFromGuests: true };
}

/** Fields that belong together. */
export function section<Fields extends TProperties>(inner: Fields, marks: ObjectOptions) {
  return Type.Optional(Type.Object(inner, marks));
}

function text(description: string, byDefault?: string) {
  return Type.Optional(Type.String(described(description, byDefault)));
}

/** A text for which suggestions are offered. */
function suggested(examples: readonly string[], description: string, byDefault?: string) {
  return marked({ widget: "suggestion", examples }, text(description, byDefault));
}

/** One of these words; any other word counts as absent. */
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
