import { eachThing, type ThingChange } from "./thing-change.ts";

/** A mark on a shown part of a flow: never a colour alone, the sign says the same. */
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

/** The mark of a line, in the list and on the canvas; undefined if the line only contains others. */
export function signOf({ is, isMoved, inner, isMovedOnCanvas }: ThingChange): Signed | undefined {
  if (is === "same") return undefined;
  // A moved card gets no sign of its own beside changes of its contents.
  if (is === "moved" && !isMoved && isMovedOnCanvas && inner.length > 0) return undefined;
  return is;
}

export function lookOf(is: Signed): Pick<Mark, "tone" | "sign"> {
  return looks[is];
}

/** The marks of cards, rows, items and edges by their ids. A group in which something changed is marked as changed. */
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
