import type { Act, Subject } from "../cell.ts";
import { input, picture, pressedStates, says } from "./make.ts";

const items = (...contents: readonly string[]) => ({
  items: contents.map((content, index) => ({ id: `item${index}`, content })),
});
const press = (...places: readonly number[]): readonly Act[] =>
  places.map((place) => ({ press: `[name=choice][value=item${place}]` }));

const few = items("Yes, please", "No", "Maybe later");
const long = items(
  "The visible text that is hyperlinked to another page",
  "The text in the top left of a webpage",
  "The most prominent text on a page, used by search engines to assign a title to the page",
  "A slogan that sticks in a consumer's mind",
);
const many = items(
  ...Array.from({ length: 60 }, (_, index) => `Option ${index + 1}${index % 7 === 3 ? ", a longer one" : ""}`),
);

export const choiceInputs: readonly Subject[] = [
  {
    name: "choice input",
    sheet: "choice",
    messages: [says("Shall we begin?")],
    input: input("choice input", {}, few),
    acts: press(0),
    actsSend: true,
    states: [...pressedStates, "offline"],
    isPaired: true,
  },
  {
    name: "choice input, long",
    sheet: "choice",
    messages: [says("What is anchor text?")],
    input: input("choice input", {}, long),
    acts: press(1),
    actsSend: true,
    states: ["idle", "answered"],
  },
  {
    name: "choice input, several",
    sheet: "choice",
    messages: [says("Which of these may it be?")],
    input: input("choice input", { isMultipleChoice: true }, few),
    acts: press(0, 2),
    states: ["idle", "focus", "filled", "refused", "answered"],
    isPaired: true,
  },
  {
    name: "choice input, searchable",
    sheet: "choice",
    messages: [says("Which of these may it be?")],
    input: input("choice input", { isMultipleChoice: true, isSearchable: true }, long),
    acts: [...press(3), { type: "te", into: "[type=search]" }],
    states: ["idle", "filled"],
  },
  {
    name: "choice input, sixty",
    sheet: "choice",
    messages: [says("Which one?")],
    input: input("choice input", {}, many),
    acts: press(4),
    actsSend: true,
    states: ["idle", "answered"],
  },
];

const pictures = {
  items: [
    { id: "item0", pictureSrc: picture("sea"), title: "The sea", description: "Cold, and worth it" },
    { id: "item1", pictureSrc: picture("meadow"), title: "A meadow" },
    { id: "item2", pictureSrc: picture("tomato"), title: "Tomatoes" },
  ],
};
const someWithout = {
  items: pictures.items.map(({ pictureSrc, ...item }, index) => (index === 0 ? { pictureSrc, ...item } : item)),
};
const untitled = { items: pictures.items.map(({ id, pictureSrc }) => ({ id, pictureSrc })) };

export const pictureInputs: readonly Subject[] = [
  {
    name: "picture choice",
    sheet: "pictures",
    messages: [says("Where to?")],
    input: input("picture choice input", {}, pictures),
    acts: press(0),
    actsSend: true,
    states: [...pressedStates, "offline"],
    isPaired: true,
  },
  {
    name: "picture choice, several",
    sheet: "pictures",
    messages: [says("Where to?")],
    input: input("picture choice input", { isMultipleChoice: true }, pictures),
    acts: press(1, 2),
    states: ["idle", "focus", "filled", "refused", "answered"],
    isPaired: true,
  },
  {
    name: "picture choice, some without a picture",
    sheet: "pictures",
    messages: [says("Where to?")],
    input: input("picture choice input", { isMultipleChoice: true }, someWithout),
    acts: press(1, 2),
    states: ["idle", "focus", "filled"],
    isPaired: true,
  },
  {
    name: "picture choice, untitled",
    sheet: "pictures",
    messages: [says("Where to?")],
    input: input("picture choice input", {}, untitled),
    acts: press(1),
    actsSend: true,
    states: ["idle", "answered"],
  },
];

const teas = ["Green tea", "Black tea", "White tea", "Mint tea"].map((title, index) => ({
  id: `tea${index}`,
  title,
  description: `Number ${index + 1} of our garden, picked in the morning`,
  imageUrl: picture(["meadow", "tomato", "sea", "meadow"][index] ?? "sea"),
  paths: [
    { id: `buy${index}`, text: "Buy" },
    { id: `more${index}`, text: "Tell me more" },
  ],
}));

export const cardInputs: readonly Subject[] = [
  {
    name: "cards",
    sheet: "cards",
    messages: [says("Which tea?")],
    input: input("cards", {}, { items: teas }),
    acts: [{ press: "[name=choice][value=buy1]" }],
    actsSend: true,
    states: [...pressedStates, "offline"],
    isPaired: true,
  },
  {
    name: "cards, one without picture",
    sheet: "cards",
    messages: [says("This one?")],
    input: input("cards", {}, { items: [{ id: "tea0", title: "Green tea" }] }),
    acts: [{ press: "[name=choice]" }],
    actsSend: true,
    states: ["idle", "answered"],
  },
];
