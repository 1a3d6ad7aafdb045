import { defineInput } from "../../interpreter/program/block.ts";
import { advanced, blockSchema, marked, option, titled, whenEnabled } from "../options.ts";
import examples from "./examples.json";
import { acceptOrRetry, numberIn, replyText, shownOptions } from "./helpers.ts";

const defaultLength = 10;

const schema = blockSchema({
  variableId: option.answerVariable,
  buttonType: titled("Appearance", option.word(["Numbers", "Icons"], "Appearance of the scale.", "Numbers")),
  length: titled("Ends at", option.number("The last number of the scale.", defaultLength)),
  startsAt: option.numberOrVariable("The first number of the scale.", 0),
  labels: option.labels({
    left: titled("At the beginning", option.text("Text at the beginning of the scale.")),
    right: titled("At the end", option.text("Text at the end of the scale.")),
    button: option.text("Label of the submit button.", "Send"),
  }),
  customIcon: marked(
    { title: "Custom icon", shownWhen: { buttonType: ["Icons"] } },
    option.part("A custom icon for the scale.", {
      isEnabled: titled("Use it", option.flag("Whether the custom icon is used.")),
      svg: whenEnabled(option.markup("svg", "The icon, as SVG.")),
    }),
  ),
  isOneClickSubmitEnabled: advanced(
    titled("Submit with one click", option.flag("Whether a click submits the rating immediately.")),
  ),
});

const { options } = schema.properties;
const shown = blockSchema({ ...options.properties, startsAt: option.number("The first number of the scale.", 0) });

export const ratingInput = defineInput({
  type: "rating input",
  inputType: "rating",
  hasNumbers: true,
  summary: "Asks for a whole number on a scale from `startsAt` (default 0) to `length` (default 10).",
  schema,
  shown,
  ask({ options }, view) {
    const startsAt = numberIn(options?.startsAt, view);
    return shownOptions(options, view, startsAt === undefined ? undefined : { startsAt }, ["startsAt"]);
  },
  reply({ options }, view, reply) {
    const text = replyText(reply) ?? "";
    const rating = Number(text);
    const from = numberIn(options?.startsAt, view) ?? 0;
    const isOnScale = /^\s*[+-]?\d+\s*$/.test(text) && rating >= from && rating <= (options?.length || defaultLength);
    return acceptOrRetry(isOnScale ? text : undefined);
  },
  offers: () => /^options\.startsAt$/,
  // A scale may be long, so all values above 100 or below -100 are counted together.
  countedValues: () => (answer) => [Math.abs(Number(answer)) <= 100 ? String(Number(answer)) : ""],
  editor: {
    name: "Rating",
    icon: "star",
    words: ["stars", "score", "nps", "scale", "feedback", "satisfaction"],
    row: ["{options.startsAt} – {options.length}"],
    related: ["number input", "choice input", "text input"],
  },
  examples: examples["rating input"],
});
