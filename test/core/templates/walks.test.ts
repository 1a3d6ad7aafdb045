import { expect, test } from "bun:test";
import { templates } from "../../../src/core/templates/index.ts";
import { withBuilderIds } from "../../support/builder-ids.ts";
import { converse } from "../../support/conversation.ts";

type Walk = {
  readonly template: string;
  readonly says: readonly string[];
  /** The last bubbles, and the stored values. */
  readonly ends: readonly string[];
  readonly keeps: Readonly<Record<string, string>>;
};

const right = "The seed of a fruit";
const walks: readonly Walk[] = [
  {
    template: "quiz",
    says: ["Let’s go", right, "Brazil", "One mug of filter coffee"],
    ends: ["You have 3 of 3.", "All of them! You could stand behind the counter. 🏆"],
    keeps: { Score: "3" },
  },
  {
    template: "quiz",
    says: ["Let’s go", right, "Italy", "One espresso", "That was enough"],
    ends: ["Thanks for playing!"],
    keeps: { Score: "1" },
  },
  {
    template: "quiz",
    says: ["Let’s go", right, "Brazil", "One espresso", "Play again", "Let’s go", "A root", "Vietnam", "One espresso"],
    ends: ["You have 0 of 3.", "A tea drinker, perhaps? Now you know three things more.", "Once more?"],
    keeps: { Score: "0" },
  },
  {
    template: "feedback",
    says: ["9", "The people", "ana@example.com"],
    ends: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "9", Group: "Promoter", Reason: "The people", Email: "ana@example.com" },
  },
  {
    template: "feedback",
    says: ["7", "More colours", "ana@example.com"],
    ends: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "7", Group: "Passive", Reason: "More colours", Email: "ana@example.com" },
  },
  {
    template: "feedback",
    says: ["0", "Too slow", "ana@example.com"],
    ends: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "0", Group: "Detractor", Reason: "Too slow", Email: "ana@example.com" },
  },
  {
    template: "support-triage",
    says: ["I cannot sign in", "It did not", "I pressed it", "I can’t work at all", "ana@example.com"],
    ends: ["Your report is with us (priority: High). We write to ana@example.com as soon as we know more."],
    keeps: {
      ...{ Topic: "I cannot sign in", "What happened": "I pressed it", Urgency: "I can’t work at all" },
      ...{ Priority: "High", Email: "ana@example.com" },
    },
  },
  {
    template: "support-triage",
    says: ["A bill", "It is too high", "It can wait", "ana@example.com"],
    ends: ["Your report is with us (priority: Normal). We write to ana@example.com as soon as we know more."],
    keeps: {
      ...{ Topic: "A bill", "What happened": "It is too high", Urgency: "It can wait" },
      ...{ Priority: "Normal", Email: "ana@example.com" },
    },
  },
  {
    template: "newsletter",
    says: ["How we work", "Once a month", "Yes, that’s fine", "ana@example.com"],
    ends: [
      "Done: Once a month, about How we work.",
      "Look into your mail for a link to confirm ana@example.com. See you there!",
    ],
    keeps: { Topics: "How we work", Rhythm: "Once a month", Email: "ana@example.com" },
  },
  {
    template: "lead-capture",
    says: ["Ana", "A new project", "This month", "ana@example.com", "Call first"],
    ends: ["Thank you, Ana! We read every message, and answer at ana@example.com within two working days."],
    keeps: { Name: "Ana", Need: "A new project", When: "This month", Email: "ana@example.com", Message: "Call first" },
  },
  {
    template: "faq",
    says: ["Delivery", "Another question", "My account", "I’d rather ask a person", "Why?", "ana@example.com"],
    ends: ["Thank you. Somebody of us answers at ana@example.com, mostly on the same day."],
    keeps: { Question: "Why?", Email: "ana@example.com" },
  },
  {
    template: "appointment",
    says: ["A follow-up", "2026-12-01", "Morning", "Ana Lima", "+33 6 12 34 56 78", "Yes, send it"],
    ends: [
      "Sent! It is a request so far.",
      "We confirm it by phone or message within one working day. See you soon, Ana Lima!",
    ],
    keeps: {
      ...{ Reason: "A follow-up", Day: "01/12/2026", "Time of day": "Morning" },
      ...{ Name: "Ana Lima", Phone: "+33612345678" },
    },
  },
];

test("every template has a test conversation", () => {
  expect(new Set(walks.map(({ template }) => template))).toEqual(new Set(templates.map(({ id }) => id)));
});

test.each(walks)(
  "a chat of the template $template with the answers $says ends with the expected texts and values",
  ({ template, says, ends, keeps }) => {
    const found = templates.find(({ id }) => id === template);
    if (!found) throw new Error(`There is no template ${template}`);
    const { document } = withBuilderIds(found);
    const turns = [{ expect: {} }, ...says.map((say) => ({ say, expect: {} }))];
    const heard = converse(document, { turns });
    const last = heard.at(-1);

    expect(last?.shows.slice(-ends.length)).toEqual([...ends]);
    expect(last?.variables).toEqual(keeps);
    expect(heard.flatMap(({ logs }) => logs)).toEqual([]);
  },
);
