import { Type } from "@sinclair/typebox";
import { defineInput } from "../interpreter/block.ts";
import { numberOrVariable, readNumberOrVariable } from "../interpreter/schema.ts";
import type { View } from "../interpreter/view.ts";
import { acceptedOr, labelsSchema, shownOptions, textOf } from "./input-parts.ts";

const units = [
  "acre", "bit", "byte", "celsius", "centimeter", "day", "degree", "fahrenheit", "fluid-ounce", "foot", "gallon", "gigabit",
  "gigabyte", "gram", "hectare", "hour", "inch", "kilobit", "kilobyte", "kilogram", "kilometer", "liter", "megabit", "megabyte",
  "meter", "microsecond", "mile", "mile-scandinavian", "milliliter", "millimeter", "millisecond", "minute", "month",
  "nanosecond", "ounce", "percent", "petabyte", "pound", "second", "stone", "terabit", "terabyte", "week", "yard", "year",
];

const schema = Type.Object({
  options: Type.Optional(
    Type.Object({
      labels: labelsSchema,
      variableId: Type.Optional(Type.String()),
      min: Type.Optional(numberOrVariable),
      max: Type.Optional(numberOrVariable),
      step: Type.Optional(numberOrVariable),
      locale: Type.Optional(Type.String({ pattern: "^[a-z]{2}(-[A-Z]{2})?$" })),
      style: Type.Optional(Type.Union(["decimal", "currency", "percent", "unit"].map((word) => Type.Literal(word)))),
      currency: Type.Optional(Type.String()),
      unit: Type.Optional(Type.Union(units.map((unit) => Type.Literal(unit)))),
    }),
  ),
});

/** A number within limits. */
export const numberInput = defineInput({
  type: "number input",
  inputType: "number",
  summary: "Takes a number, with a comma or a dot, within `min` and `max`.",
  schema,
  variableId: ({ options }) => options?.variableId,
  ask({ options }, view) {
    const { min, max, step, ...rest } = options ?? {};
    const limits = Object.entries({ min, max, step }).map(([name, limit]) => [name, limitOf(limit, view)] as const);
    const known = Object.fromEntries(limits.filter(([, limit]) => limit !== undefined));
    return shownOptions(options && { ...rest, ...known }, view);
  },
  reply({ options }, view, reply) {
    const number = numberOf(textOf(reply) ?? "");
    if (number === undefined) return { kind: "invalid" };
    const min = limitOf(options?.min, view);
    const max = limitOf(options?.max, view);
    const isWithin = (min === undefined || number.value >= min) && (max === undefined || number.value <= max);
    return acceptedOr(isWithin ? number.content : undefined);
  },
  examples: [
    { title: "A comma is read as a dot.", block: { options: {} }, reply: "1,5", expect: { answer: "1.5" } },
    { title: "Leading zeros are kept.", block: { options: {} }, reply: "007", expect: { answer: "007" } },
    { title: "Limits may be variables, and a limit of 0 is a limit.", block: { options: { min: 0, max: "{{Most}}" } }, variables: { Most: "5" }, reply: "-1", expect: { answer: null } },
    { title: "Text with anything else in it is refused.", block: { options: {} }, reply: "12abc", expect: { answer: null } },
  ],
});

/** The reply as a number and as the text to store; undefined where it is not a number as a whole. */
function numberOf(text: string): { value: number; content: string } | undefined {
  const plain = text.trim().replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  return { value, content: text.startsWith("0") ? text : String(value) };
}

/** A limit as a number; undefined where there is none, or its variable holds none. */
function limitOf(limit: number | string | undefined, view: View): number | undefined {
  const read = readNumberOrVariable(limit);
  if (typeof read !== "string") return read;
  const found = readNumberOrVariable(view.text(read));
  return typeof found === "number" ? found : undefined;
}
