import { asks, flowOf, says } from "../../support/chat.ts";

/** Returns a drawn picture of one colour as a data URL. */
export function picture(color: string): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100"><rect width="160" height="100" fill="${color}"/><circle cx="80" cy="50" r="28" fill="#fff" fill-opacity=".5"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/** Gives an input an id that distinguishes it from other inputs of its type. */
export function named(id: string, type: string, options: object = {}, more: object = {}) {
  return { ...asks(type, options, more), id };
}

export const animals = [
  { id: "cat", pictureSrc: picture("#0f766e"), title: "Cat", description: "Sleeps by day" },
  { id: "dog", pictureSrc: picture("#1d4ed8"), title: "Dog", value: "canine" },
  { id: "fox", pictureSrc: picture("#b45309") },
];

/** The items again with new ids, because the ids of a flow's items must be unique. */
const moreAnimals = animals.map((item) => ({ ...item, id: `${item.id}2` }));

export const teas = ["Green tea", "Black tea", "White tea", "Mint tea"].map((title, index) => ({
  id: `tea${index}`,
  title,
  description: `Number ${index + 1} of our garden`,
  imageUrl: picture(["#4d7c0f", "#7c2d12", "#a8a29e", "#0d9488"][index] ?? "#000"),
  paths: [
    { id: `buy${index}`, text: "Buy" },
    { id: `more${index}`, text: "Tell me more" },
  ],
}));

export const inputs = {
  date: named("date", "date input", { min: "2026-01-01", max: "2026-12-31" }),
  range: named("range", "date input", { isRange: true, labels: { from: "Arrival", to: "Departure" } }),
  moment: named("moment", "date input", { hasTime: true }),
  time: named("time", "time input"),
  phone: named("phone", "phone number input", { defaultCountryCode: "FR" }),
  rating: named("rating", "rating input", {
    length: 5,
    startsAt: 1,
    labels: { left: "Not at all", right: "Very much" },
  }),
  stars: named("stars", "rating input", { buttonType: "Icons", length: 5, isOneClickSubmitEnabled: true }),
  pictures: named("pictures", "picture choice input", {}, { items: animals }),
  several: named(
    "several",
    "picture choice input",
    { isMultipleChoice: true, isSearchable: true },
    { items: moreAnimals },
  ),
  cards: named("cards", "cards", {}, { items: teas }),
  file: named("file", "file input", {
    isMultipleAllowed: true,
    allowedFileTypes: { isEnabled: true, types: [".txt", "image/*"] },
  }),
  optional: named("optional", "file input", { isRequired: false }),
  attachments: named("attachments", "text input", { attachments: { isEnabled: true } }),
  payment: named("payment", "payment input", { amount: "12.50", currency: "EUR" }),
};

/** Returns a flow with these inputs, one after another. */
export function askingFlow(...asked: readonly object[]) {
  return flowOf([...asked.flatMap((block, index) => [says(`Question ${index + 1}?`), block]), says("Thank you")]);
}
