import { isJsonObject } from "../../core/interpreter/flow.ts";
import { decodeValue } from "./wire.ts";

/** Answers a script's question about languages and regions, as JSON. `charge` deducts work from the script's budget. */
export type LocaleAnswers = {
  /** Called before each script, so that the script is charged for its formatters. */
  begin(): void;
  answer(question: string, charge: (units: number) => void): string;
};

/**
 * Provides the `Intl` objects and `toLocale…` methods that the sandbox's engine lacks, with this process's locale data.
 * A result depends only on its question. Languages default to `en-US` and time zones to UTC. Questions come from
 * scripts and are not trusted.
 */
export function createLocaleAnswers(): LocaleAnswers {
  const formatters = new Map<string, object>();
  // The formatters for which the current script was charged. The cache may contain formatters of earlier scripts, and
  // charges must not depend on them. Both collections have the same limit and the cache evicts the least recently used
  // formatter, so a formatter in `charged` is still cached.
  const charged = new Set<string>();

  const formatterOf = (service: Service, name: string, settings: Settings): object => {
    const key = JSON.stringify([name, settings]);
    const formatter = formatters.get(key) ?? construct(service, settings);
    formatters.delete(key);
    formatters.set(key, formatter);
    if (formatters.size > maxFormatters) formatters.delete(formatters.keys().next().value ?? "");
    return formatter;
  };

  const chargeFor = (key: string, charge: (units: number) => void): void => {
    if (charged.size >= maxFormatters) charged.clear();
    charge(charged.has(key) ? unitsPerCall : unitsPerFormatter);
    charged.add(key);
  };

  const answerOf = ({ name, method, settings, values }: Question): unknown => {
    const native = natives.get(`${name}.${method}`);
    if (native) return native(values[0], settings);
    const service = services.get(name);
    if (!service?.methods.has(method)) throw new TypeError(`Intl.${name}.${method} is not available`);
    if (method === "supportedLocalesOf") return callMethod(service.maker, method, [settings.locales]);
    return callMethod(formatterOf(service, name, settings), method, values);
  };

  return {
    begin: () => charged.clear(),
    answer(text, charge) {
      if (text.length > maxCharacters) return refused(new RangeError("The text is too long for Intl"));
      charge(text.length * unitsPerCharacter);
      try {
        const question = byFormatter(readQuestion(text));
        charge(question.settings.locales.length * unitsPerLanguage);
        chargeFor(JSON.stringify([question.name, question.settings]), charge);
        return JSON.stringify({ value: answerOf(question) });
      } catch (error) {
        return refused(error);
      }
    },
  };
}

const maxFormatters = 64;
const maxCharacters = 256 * 1024;
// Limits the digits of numbers, because parsing and printing takes quadratic time.
const maxDigits = 1_000;
// Costs in units of the engine's fuel, about 2 ns each. Creating a formatter takes up to 150 µs, a call of a formatter
// 2 µs.
const unitsPerFormatter = 75_000;
const unitsPerCall = 1_000;
const unitsPerCharacter = 10;
// The cost of a language. Parsing and looking up a language takes 3 to 5 µs.
const unitsPerLanguage = 2_500;

type Settings = { readonly locales: readonly string[]; readonly options: Readonly<Record<string, unknown>> };
type Question = {
  readonly name: string;
  readonly method: string;
  readonly settings: Settings;
  readonly values: unknown[];
};
type Service = { readonly maker: new (...values: never[]) => object; readonly methods: ReadonlySet<string> };

const formatting = ["format", "formatToParts", "formatRange", "formatRangeToParts"];
const services = new Map<string, Service>([
  ["NumberFormat", service(Intl.NumberFormat, formatting)],
  ["DateTimeFormat", service(Intl.DateTimeFormat, formatting)],
  ["PluralRules", service(Intl.PluralRules, ["select", "selectRange"])],
  ["Collator", service(Intl.Collator, ["compare"])],
  ["ListFormat", service(Intl.ListFormat, ["format", "formatToParts"])],
  ["RelativeTimeFormat", service(Intl.RelativeTimeFormat, ["format", "formatToParts"])],
]);

/**
 * Converts a call of a `toLocale…` method to a call of a formatter. These methods of numbers and dates create a
 * formatter at each call, which takes up to 150 µs. By definition, a formatter returns the same result, and a cached
 * formatter only costs one call.
 */
function byFormatter(question: Question): Question {
  const { name, method, settings, values } = question;
  if (name === "Number" || name === "BigInt") {
    return method === "toLocaleString" ? { name: "NumberFormat", method: "format", settings, values } : question;
  }
  const parts = name === "Date" ? dateParts.get(method) : undefined;
  if (!parts || Number.isNaN(values[0])) return question;
  const { options } = settings;
  const has = (keys: readonly string[]): boolean => keys.some((key) => key in options);
  // These methods throw if they do not support the style, so the original method is called to throw the error.
  if (has(["dateStyle", "timeStyle"])) {
    return method === "toLocaleString" ? { name: "DateTimeFormat", method: "format", settings, values } : question;
  }
  const completed = has(parts.any) ? options : { ...options, ...parts.fallback };
  return { name: "DateTimeFormat", method: "format", settings: { ...settings, options: completed }, values };
}

const days = ["weekday", "year", "month", "day"];
const times = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const plainDay = { year: "numeric", month: "numeric", day: "numeric" };
const plainTime = { hour: "numeric", minute: "numeric", second: "numeric" };

/** The default parts of each method of dates, used if its options contain none of the parts in `any`. */
const dateParts = new Map<string, { readonly any: readonly string[]; readonly fallback: object }>([
  ["toLocaleString", { any: [...days, ...times], fallback: { ...plainDay, ...plainTime } }],
  ["toLocaleDateString", { any: days, fallback: plainDay }],
  ["toLocaleTimeString", { any: times, fallback: plainTime }],
]);

type Native = (value: unknown, settings: Settings) => unknown;

const natives = new Map<string, Native>([
  ["Date.toLocaleString", dateMethod("toLocaleString")],
  ["Date.toLocaleDateString", dateMethod("toLocaleDateString")],
  ["Date.toLocaleTimeString", dateMethod("toLocaleTimeString")],
  [
    "String.toLocaleUpperCase",
    (value, { locales }) => localeMethod(String.prototype, "toLocaleUpperCase", value, [locales]),
  ],
  [
    "String.toLocaleLowerCase",
    (value, { locales }) => localeMethod(String.prototype, "toLocaleLowerCase", value, [locales]),
  ],
  ["Intl.getCanonicalLocales", (_value, { locales }) => Intl.getCanonicalLocales([...locales])],
]);

function service(maker: Service["maker"], methods: readonly string[]): Service {
  return { maker, methods: new Set([...methods, "resolvedOptions", "supportedLocalesOf"]) };
}

function dateMethod(name: "toLocaleString" | "toLocaleDateString" | "toLocaleTimeString"): Native {
  return (value, { locales, options }) =>
    localeMethod(Date.prototype, name, new Date(Number(value)), [locales, { timeZone: "UTC", ...options }]);
}

function localeMethod(prototype: object, name: string, self: unknown, values: unknown[]): unknown {
  const method: unknown = Reflect.get(prototype, name);
  return typeof method === "function" ? Reflect.apply(method, self, values) : undefined;
}

function callMethod(target: object, name: string, values: unknown[]): unknown {
  return localeMethod(target, name, target, values);
}

function construct({ maker }: Service, { locales, options }: Settings): object {
  const isDated = Object.is(maker, Intl.DateTimeFormat);
  return Reflect.construct(maker, [locales, isDated ? { timeZone: "UTC", ...options } : options]);
}

function readQuestion(text: string): Question {
  const question: unknown = JSON.parse(text);
  if (!Array.isArray(question)) throw new TypeError("Not a question");
  const [name, locales, options, method, values] = question;
  if (!isTexts(locales) || !isTexts(values) || !isJsonObject(options)) throw new TypeError("Not a question");
  return {
    name: String(name),
    method: String(method),
    settings: { locales: locales.length === 0 ? ["en-US"] : locales, options },
    values: readValues(values),
  };
}

function readValues(texts: readonly string[]): unknown[] {
  return Array.from({ length: texts.length / 2 }, (_, index) => {
    const tag = texts[index * 2] ?? "";
    const payload = texts[index * 2 + 1] ?? "";
    if (tag === "bigint" && payload.length > maxDigits) throw new RangeError("The number is too long for Intl");
    return decodeValue(tag, payload);
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function refused(error: unknown): string {
  const message = error instanceof Error ? error.message : "Not available";
  return JSON.stringify({ error: error instanceof RangeError ? "RangeError" : "TypeError", message });
}
