import type { Act, Subject } from "../cell.ts";
import { filledStates, input, says } from "./make.ts";

const give = (rating: number): readonly Act[] => [{ press: `[name=text][value="${rating}"]` }];
const labels = { left: "Not likely", right: "Extremely likely" };
const heart = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 21 3 12a5.5 5.5 0 0 1 9-6 5.5 5.5 0 0 1 9 6Z" fill="#d6336c"/></svg>`;

export const ratingInputs: readonly Subject[] = [
  {
    name: "rating, 0 to 10",
    sheet: "rating",
    messages: [says("How likely are you to tell a friend?")],
    input: input("rating input", { length: 10, startsAt: 0, labels }),
    acts: give(8),
    states: filledStates,
    isPaired: true,
  },
  {
    name: "rating, 1 to 5, at once",
    sheet: "rating",
    messages: [says("How was the tea?")],
    input: input("rating input", { length: 5, startsAt: 1, isOneClickSubmitEnabled: true }),
    acts: give(4),
    actsSend: true,
    states: ["idle", "focus", "busy", "answered"],
  },
  {
    name: "rating, stars",
    sheet: "rating",
    messages: [says("How was the tea?")],
    input: input("rating input", { buttonType: "Icons", length: 5 }),
    acts: give(4),
    states: ["idle", "focus", "filled", "answered"],
    isPaired: true,
  },
  {
    name: "rating, icons of its own",
    sheet: "rating",
    messages: [says("How much do you like us?")],
    input: input("rating input", { buttonType: "Icons", length: 5, customIcon: { isEnabled: true, svg: heart } }),
    acts: give(3),
    states: ["idle", "filled", "answered"],
  },
  {
    name: "ranking",
    sheet: "rating",
    messages: [says("What counts most?")],
    input: input(
      "ranking input",
      {},
      {
        items: ["Price", "Support that answers at night, and on Sundays, too", "Speed"].map((content) => ({
          id: content,
          content,
        })),
      },
    ),
    acts: [{ press: '[data-move="Price 1"]' }],
    states: ["idle", "focus", "filled", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "matrix",
    sheet: "rating",
    messages: [says("How was your stay?")],
    input: input("matrix input", {
      rows: [
        { title: "Room", isRequired: true },
        { title: "Breakfast, from seven to eleven", isRequired: false },
      ],
      columns: ["Bad", "Fair", "Good", "Very good"],
    }),
    acts: [{ press: "[name=row-0][value='2']" }, { press: "[name=row-1][value='0']" }],
    states: filledStates,
    isPaired: true,
  },
];
