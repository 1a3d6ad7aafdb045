import { expect, test } from "bun:test";
import { type Placed, uniqueIds } from "../../../src/core/flow/repair/new-ids.ts";

const many = (count: number, thing: (index: number) => Placed) => Array.from({ length: count }, (_, at) => thing(at));

/** Parts with the same id. Their positions match the stored positions only in the last name. */
const one = (count: number) => many(count, (index) => ({ id: "x", places: [`new ${index}`, "new", "g"] }));

const storedThings: readonly [string, (count: number) => Placed[]][] = [
  ["other ids", (count) => many(count, (index) => ({ id: `y${index}`, places: [`${index}`, "old", "g"] }))],
  [
    "derived ids of another id",
    (count) => many(count, (index) => ({ id: `y-${index}`, places: [`${index}`, "old", "g"] })),
  ],
  [
    "the ids of the last import",
    (count) => many(count, (index) => ({ id: `x-${index}`, places: [`${index}`, "o", "g"] })),
  ],
  ["one common position", (count) => many(count, (index) => ({ id: `x-${index}`, places: ["new 0", "new", "g"] }))],
  ["no elements", () => []],
];

test.each(storedThings)(
  "2,000 elements with one id get unique ids with fewer than 10,000 lookups in sets (stored elements: %s)",
  (_, stored) => {
    const count = 2_000;
    const own = Set.prototype.has;
    let looks = 0;
    Set.prototype.has = function (value) {
      looks++;
      return own.call(this, value);
    };
    try {
      expect(uniqueIds(one(count), stored(count)).length).toBe(count);
    } finally {
      Set.prototype.has = own;
    }
    // There would be two million reads if each part were compared with all stored parts.
    expect(looks).toBeLessThan(5 * count);
  },
);

test("an element with a repeated id gets an unused id of a stored element", () => {
  const places = ["p"];
  const stored = ["x", "used", "free", "last"].map((id) => ({ id, places }));
  const things = ["x", "used", "x", "x", "x"].map((id) => ({ id, places }));
  expect(uniqueIds(things, stored)).toEqual(["x", "used", "free", "last", "x-2"]);
});

test("a stored id is reused only if it is the repeated id with a number", () => {
  const stored = ["mine", "x-y", "x-2-3", "y-2", "x-7"].map((id) => ({ id, places: [`exact ${id}`, "group"] }));
  const things = ["x", "x", "x"].map((id, index) => ({ id, places: [`${index}`, "group"] }));
  expect(uniqueIds(things, stored)).toEqual(["x", "x-7", "x-2"]);
});
