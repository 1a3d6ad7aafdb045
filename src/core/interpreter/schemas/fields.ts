import { type ObjectOptions, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type FieldMarks, marked } from "./field-marks.ts";
import { numberOrVariable } from "./schema.ts";

export { advanced, marked, shownWhen, titled, whenEnabled } from "./field-marks.ts";

/**
 * Schemas of the fields of stored documents: options of blocks, themes, settings. Descriptions are their documentation. A default
 * is the meaning of an absent field; it is never written into a response. The use of a field, such as an address or a colour, is a mark for
 * editors (`core/interpreter/schemas/field-marks.ts`), which other readers ignore.
 */
export function textOption(description: string, byDefault?: string) {
  return Type.Optional(Type.String(described(description, byDefault)));
}

/** The id of a variable that the block writes: see `writtenVariables`. */
export function writtenVariableOption(description: string) {
  return Type.Optional(Type.String({ description, namesWrittenVariable: true }));
}

/** The id of a variable that the block reads. */
export function readVariableOption(description: string) {
  return Type.Optional(Type.String({ description, namesReadVariable: true }));
}

/** The id of a variable that no run reads or writes by this field. */
export const variableOption = textAs({ widget: "variable" });

/** JavaScript: a variable in it is a value of the code, not a part of a text. */
export function codeOption(description: string) {
  return Type.Optional(Type.String({ description, isCode: true }));
}

/** Code of another language: a variable in it is a part of the text. */
export function markupOption(language: NonNullable<FieldMarks["language"]>, description: string, byDefault?: string) {
  return marked({ widget: "code", language }, textOption(description, byDefault));
}

/** A text of several lines. */
export const longTextOption = textAs({ widget: "longText" });
/** HTML of which an author writes the text. */
export const markupTextOption = textAs({ widget: "markupText" });

/** A text of which some are offered. */
export function suggestedOption(examples: readonly string[], description: string, byDefault?: string) {
  return marked({ widget: "suggestion", examples }, textOption(description, byDefault));
}

/** One of these texts. Other texts may be stored: another program may understand them. */
export function chosenOption(examples: readonly string[], description: string, byDefault?: string) {
  return marked({ widget: "choice", examples }, textOption(description, byDefault));
}

/** Where a request, a link or a page leads. */
export const addressOption = textAs({ widget: "address" });

/** The address of a picture, a film or a sound, which may be uploaded. */
export function mediaOption(holds: NonNullable<FieldMarks["holds"]>, description: string, byDefault?: string) {
  return marked({ widget: "media", holds }, textOption(description, byDefault));
}

export const colorOption = textAs({ widget: "color" });

/** The id of a group of this bot, or of the bot that the field `botField` names. */
export function groupOption(description: string, botField?: string) {
  return marked({ widget: "group", ...(botField !== undefined && { botField }) }, textOption(description));
}

/** The id of a block of the group that `groupId` beside it names. */
export const blockOption = textAs({ widget: "block" });

/** The id of a bot. */
export const botOption = textAs({ widget: "bot" });

/** The id of credentials: of a fixed type, or of the type in the field `credentialsTypeField`. */
export function credentialsOption(
  description: string,
  of: Pick<FieldMarks, "credentialsType" | "credentialsTypeField"> = {},
) {
  return marked({ widget: "credentials", ...of }, textOption(description));
}

/** An IANA time zone. */
export const zoneOption = textAs({ widget: "zone" });

/** A date, or a date with a time. */
export const momentOption = textAs({ widget: "moment" });

/** The code of a currency. */
export function currencyOption(description: string, byDefault?: string) {
  return suggestedOption(currencies, description, byDefault);
}

/** The id of the edge that leads on: made by drawing a line, not in a form. */
export const edgeOption = textAs({ widget: "kept" });

/** A field of stored flows that no longer has a use. */
export const keptOption = textAs({ widget: "kept", isAdvanced: true });

/** A field that a guest of a publicly shared bot does not see: see `withoutHidden`. */
export function hiddenFromGuests<T extends TSchema>(field: T): T {
  return { ...field, isHiddenFromGuests: true };
}

/** Fields that belong together. */
export function section<Fields extends TProperties>(fields: Fields, marks: ObjectOptions) {
  return Type.Optional(Type.Object(fields, marks));
}

export function flagOption(description: string, byDefault = false) {
  return Type.Optional(Type.Boolean(described(description, byDefault)));
}

export function numberOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Number(described(description, byDefault)));
}

/** A number, or a reference to a variable that holds one. */
export function numberOrVariableOption(description: string, byDefault?: number) {
  return Type.Optional(Type.Union(numberOrVariable.anyOf, described(description, byDefault)));
}

/** One of these words; any other counts as absent. */
export function wordOption<const Word extends string>(words: readonly Word[], description: string, byDefault?: Word) {
  return Type.Optional(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      described(description, byDefault),
    ),
  );
}

/** Several texts. */
export function textsOption(description: string) {
  return Type.Optional(Type.Array(Type.String(), { description, widget: "texts" }));
}

function textAs(marks: FieldMarks) {
  return (description: string, byDefault?: string) => marked(marks, textOption(description, byDefault));
}

function described<T>(description: string, byDefault: T | undefined): { description: string; default?: T } {
  return { description, ...(byDefault !== undefined && { default: byDefault }) };
}

const currencies = "USD EUR GBP BRL CHF CAD AUD JPY INR MXN PLN SEK NOK DKK CZK ZAR NZD SGD HKD AED".split(" ");
