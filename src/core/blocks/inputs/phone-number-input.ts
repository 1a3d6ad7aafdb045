import type * as PhoneNumbers from "libphonenumber-js/max";
import { limits } from "../../../limits/index.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { blockSchema, marked, option } from "../options.ts";
import examples from "./examples.json";
import { acceptOrRetry, askedWith, checkedHere, replyText, shownOptions } from "./helpers.ts";

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type your phone number..."),
  retryMessageContent: option.retryMessage(),
  defaultCountryCode: marked(
    { title: "Country", help: "For numbers without a country code, such as `FR`." },
    option.suggested(
      "AT AU BE BR CA CH DE ES FR GB IE IN IT MX NL PL PT US".split(" "),
      "The country for numbers without a `+`, as two letters such as `FR`. Unknown countries are ignored.",
    ),
  ),
});

export const phoneNumberInput = defineInput({
  type: "phone number input",
  inputType: "phone",
  summary: "Finds the first phone number in the reply, and stores it in international format, such as `+33612345678`.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  reply({ options }, view, reply) {
    const number = firstNumber(replyText(reply) ?? "", options?.defaultCountryCode);
    return acceptOrRetry(number, () => view.text(options?.retryMessageContent));
  },
  editor: {
    name: "Phone number",
    icon: "phone",
    words: ["telephone", "mobile", "call", "sms", "whatsapp", "contact"],
    row: ["{options.labels.placeholder}"],
    form: [...askedWith, cells("options.defaultCountryCode"), cells("options.retryMessageContent"), checkedHere],
    related: ["text input", "email input", "number input"],
  },
  examples: examples["phone number input"],
});

/** The library is loaded when the first reply is parsed, because the rules of all countries take 150 kB. */
const reader = (): typeof PhoneNumbers => require("libphonenumber-js/max");

function firstNumber(text: string, countryCode = ""): string | undefined {
  if (text.length > limits.reply.searchedCharacters) return undefined;
  const { isSupportedCountry, searchPhoneNumbersInText } = reader();
  const country = isSupportedCountry(countryCode) ? { defaultCountry: countryCode } : {};
  for (const { number } of searchPhoneNumbersInText(text, country)) return number.number;
  return undefined;
}
