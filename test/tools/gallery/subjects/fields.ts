import type { Act, Subject } from "../cell.ts";
import { filledStates, input, says } from "./make.ts";

const into = (text: string, field = "[name=text]"): readonly Act[] => [{ type: text, into: field }];

const followUps = ["What does it cost?", "How long does it take until it arrives at an address abroad?", "Returns"];

export const textInputs: readonly Subject[] = [
  {
    name: "text input",
    sheet: "text",
    messages: [says("What is your name?")],
    input: input("text input"),
    acts: into("Ana María"),
    states: filledStates,
    isPaired: true,
  },
  {
    name: "text input, long",
    sheet: "text",
    messages: [says("Tell us about it.")],
    input: input("text input", { isLong: true }),
    acts: into("It began in spring.\nNobody saw it coming, and then it was there for all to see."),
    states: ["idle", "focus", "filled"],
    isPaired: true,
  },
  {
    name: "text input, labelled",
    sheet: "text",
    messages: [says("What shall we call you?")],
    input: input("text input", { labels: { placeholder: "A first name will do", button: "That is me" } }),
    acts: into("Ana"),
    states: ["idle", "filled"],
  },
  {
    name: "text input, suggestions",
    sheet: "text",
    messages: [says("What would you like to know?")],
    input: input("text input", { followUps }),
    acts: into("Something else"),
    states: ["idle"],
  },
  {
    name: "text input, files and suggestions",
    sheet: "text",
    messages: [says("What would you like to know?")],
    input: input("text input", { followUps, attachments: { isEnabled: true } }),
    acts: into("Something else"),
    states: ["idle"],
  },
];

export const fieldInputs: readonly Subject[] = [
  {
    name: "email input",
    sheet: "fields",
    messages: [says("Where may we write to?")],
    input: input("email input"),
    acts: into("ana@example.com"),
    states: ["idle", "focus", "filled", "refused", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "url input",
    sheet: "fields",
    messages: [says("Where are you to be found?")],
    input: input("url input"),
    acts: into("example.com/ana"),
    states: ["idle", "focus", "filled", "refused", "answered"],
  },
  {
    name: "number input",
    sheet: "fields",
    messages: [says("How many will come?")],
    input: input("number input", { min: 1, max: 5000 }),
    acts: into("1250"),
    states: ["idle", "focus", "filled", "refused", "answered"],
    isPaired: true,
  },
  {
    name: "number input, currency",
    sheet: "fields",
    messages: [says("What may it cost?")],
    input: input("number input", { style: "currency", currency: "EUR", locale: "de" }),
    acts: into("1234,50"),
    states: ["idle", "filled"],
  },
  {
    name: "phone input",
    sheet: "fields",
    messages: [says("Where may we call?")],
    input: input("phone number input", { defaultCountryCode: "FR" }),
    acts: into("06 12 34 56 78"),
    states: ["idle", "focus", "filled", "refused", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "phone input, countries",
    sheet: "fields",
    messages: [says("Where may we call?")],
    input: input("phone number input", { defaultCountryCode: "FR" }),
    acts: into("unit", "[role=combobox]"),
    states: ["filled"],
  },
  {
    name: "address",
    sheet: "fields",
    messages: [says("Where do you live?")],
    input: input("address input"),
    acts: into("12 Main Street"),
    states: ["idle", "refused"],
  },
  {
    name: "address, suggestions",
    sheet: "fields",
    messages: [says("Where do you live?")],
    input: input("address input", { hasSuggestions: true }),
    // The list is open once it can be pressed.
    acts: [...into("Downing"), { press: "[role=listbox]" }],
    states: ["focus", "filled"],
  },
  {
    name: "country",
    sheet: "fields",
    messages: [says("Where do you live?")],
    input: input("text input", { isCountry: true }),
    acts: into("guinea", "[role=combobox]"),
    states: ["idle", "focus", "filled"],
    isPaired: true,
  },
];

export const dateInputs: readonly Subject[] = [
  {
    name: "date input",
    sheet: "dates",
    messages: [says("Which day suits you?")],
    input: input("date input"),
    acts: into("2026-12-31", "[name=from]"),
    states: ["idle", "focus", "filled", "refused", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "date input, range",
    sheet: "dates",
    messages: [says("When will you be here?")],
    input: input("date input", { isRange: true, labels: { from: "Arrival", to: "Departure" } }),
    acts: [...into("2026-12-24", "[name=from]"), ...into("2026-12-31", "[name=to]")],
    states: ["idle", "focus", "filled", "refused", "answered"],
    isPaired: true,
  },
  {
    name: "date input, with time",
    sheet: "dates",
    messages: [says("Which hour suits you?")],
    input: input("date input", { hasTime: true }),
    acts: into("2026-12-31T14:30", "[name=from]"),
    states: ["idle", "filled"],
  },
  {
    name: "time input",
    sheet: "dates",
    messages: [says("At what time?")],
    input: input("time input"),
    acts: into("14:30"),
    states: ["idle", "focus", "filled", "refused", "answered"],
    isPaired: true,
  },
];
