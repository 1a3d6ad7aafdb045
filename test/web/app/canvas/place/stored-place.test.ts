import { afterEach, expect, test } from "bun:test";
import { placeText, readPlace } from "../../../../../src/web/app/canvas/place/stored-place.ts";
import { zooms } from "../../../../../src/web/app/canvas/scene/camera.ts";

const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
afterEach(() => {
  if (before) Object.defineProperty(globalThis, "localStorage", before);
  else Reflect.deleteProperty(globalThis, "localStorage");
});

/** Returns the stored position of a bot when the browser's storage contains the entry. */
function placeIn(entry: string | null) {
  Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => entry }, configurable: true });
  return readPlace("bot");
}

test("a stored view is restored if its position and zoom are valid", () => {
  expect(placeIn("10\n-20\n1.25\ng1\ng2")).toEqual({
    at: { x: 10, y: -20, zoom: 1.25 },
    corner: undefined,
    folded: ["g1", "g2"],
  });
  for (const zoom of [zooms.least, zooms.most]) expect(placeIn(`0\n0\n${zoom}`).at?.zoom).toBe(zoom);
  for (const zoom of [0, -1, zooms.least / 2, zooms.most + 0.01, "Infinity", "NaN", "near"]) {
    expect(placeIn(`0\n0\n${zoom}\ng1`)).toEqual({ at: undefined, corner: undefined, folded: ["g1"] });
  }
  expect(placeIn("0\nfar\n1")).toEqual({ at: undefined, corner: undefined, folded: [] });
  expect(placeIn(null)).toEqual({ at: undefined, corner: undefined, folded: [] });
});

test("a stored view restores its corner only in a window of equal size", () => {
  Object.assign(globalThis, { innerWidth: 1_440, innerHeight: 900 });
  const middle = { x: 700, y: 400, zoom: 0.8 };
  const textIn = (window: string) => placeText({ middle, corner: { x: -20.5, y: 30 }, window }, ["g1"]);
  expect(placeIn(textIn("1440x900"))).toEqual({ at: middle, corner: { x: -20.5, y: 30, zoom: 0.8 }, folded: ["g1"] });
  expect(placeIn(textIn("1300x900"))).toEqual({ at: middle, corner: undefined, folded: ["g1"] });
  // A version of the builder that does not support corners reads the middle.
  expect(textIn("1440x900").split("\n").slice(0, 3)).toEqual(["700", "400", "0.8"]);
  for (const name of ["innerWidth", "innerHeight"]) Reflect.deleteProperty(globalThis, name);
});
