import { eachThing, type ThingChange } from "./thing-change.ts";

/** A mark on a part of a flow. The sign repeats the meaning of the colour. */
export type Mark = {
  readonly tone: "good" | "danger" | "warning" | "accent";
  readonly sign: string;
  readonly label: string;
};

const looks = {
  added: { tone: "good", sign: "+" },
  removed: { tone: "danger", sign: "−" },
  changed: { tone: "warning", sign: "~" },
  moved: { tone: "accent", sign: "↔" },
} as const;

export type Signed = keyof typeof looks;

/** Returns the kind of change that the sign of an entry shows, or undefined if the entry has no sign. */
export function signOf({ is, isMoved, inner, isMovedOnCanvas }: ThingChange): Signed | undefined {
  if (is === "same") return undefined;
  // A card that only moved gets no sign if its contents changed as well.
  if (is === "moved" && !isMoved && isMovedOnCanvas && inner.length > 0) return undefined;
  return is;
}

export function lookOf(is: Signed): Pick<Mark, "tone" | "sign"> {
  return looks[is];
}

/**
 * Returns the marks of cards, rows, items and edges by id. A group or block that has no sign of its own is marked as
 * changed, because something in it changed.
 */
export function marksOf(
  changed: readonly ThingChange[],
  words: Readonly<Record<Signed, string>>,
): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  const put = (id: string | undefined, is: Signed): void => {
    if (id !== undefined) marks.set(id, { ...looks[is], label: words[is] });
  };
  for (const one of eachThing(changed)) {
    const is = signOf(one) ?? (one.of === "group" || one.of === "block" ? "changed" : undefined);
    if (is !== undefined) put(one.id, is);
    for (const { outlet, from, to } of one.leads) put(outlet.edgeId, from ? (to ? "changed" : "removed") : "added");
  }
  return marks;
}
