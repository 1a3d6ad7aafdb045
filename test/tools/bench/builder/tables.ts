import { median } from "../numbers.ts";
import { printTable } from "../print.ts";
import type { CanvasCosts } from "./canvas.ts";
import { type Cost, medianAndMost, short, spread } from "./cost.ts";
import { nameOf, type Shape } from "./flows.ts";
import type { OutlineCosts } from "./outline.ts";

/**
 * The targets for flows of 2,000 and of 10,000 blocks in milliseconds. For frames, the targets are the median and the
 * 95th percentile.
 */
type Bar = readonly [small: string, large: string];
const bars: Readonly<Record<string, Bar>> = {
  open: ["400", "800"],
  "open, wall": ["1,000", "2,000"],
  "a keystroke in a form until painted": ["10", "10"],
  "a keystroke in a text until painted": ["10", "10"],
  "a keystroke in code until painted": ["10", "10"],
  undo: ["20", "50"],
  redo: ["20", "50"],
  "paste 100 blocks": ["60", "50"],
  "find as one types": ["30", "100"],
  "findings after an edit, in a worker": ["150", "600"],
  "elements on the page, near": ["2,500", "2,500"],
  "elements on the page, far": ["2,500", "2,500"],
};
const [moving, dragging]: readonly [Bar, Bar] = [
  ["6 (12)", "14"],
  ["6", "6"],
];

export type MeasuredShape = { readonly shape: Shape; readonly outline: OutlineCosts; readonly canvas: CanvasCosts };

/** Prints the outline measurements of all flows, with one column per flow. */
export function printOutline(measured: readonly MeasuredShape[], empty: readonly Cost[]): void {
  const names = [...(measured[0]?.outline.costs.keys() ?? [])];
  const cells = (name: string, figure: (cost: Cost) => number) =>
    measured.map(({ outline }) => spread(outline.costs.get(name)?.map(figure) ?? []));
  const line = (name: string) => [name, (bars[name] ?? []).join(", "), ...cells(name, ({ cpu }) => cpu)];
  printTable(
    ["outline, processor ms", "promised", ...measured.map(({ shape }) => `${nameOf(shape)} blocks`)],
    [
      ...names.map(line),
      ["open, wall", (bars["open, wall"] ?? []).join(", "), ...cells("open", ({ wall }) => wall)],
      ["findings, wall", "", ...cells("findings after an edit, in a worker", ({ wall }) => wall)],
      ["bytes for one edit, both ways", "2,000", ...measured.map(({ outline }) => thousands(outline.editBytes))],
      ["an empty page", "", spread(empty.map(({ cpu }) => cpu)), ...measured.slice(1).map(() => "")],
    ],
  );
}

/** Prints the measurements of one flow on the canvas and on the other stages. */
export function printCanvas({ shape, canvas: { names, opens, frames, counts } }: MeasuredShape): void {
  const column = shape.groups * shape.blocks > 5_000 ? 1 : 0;
  const barOf = (name: string): string => {
    if (name.includes("dragging fifty")) return "12";
    if (name.includes("dragging")) return dragging[column];
    if (name.includes("panning") || name.includes("zooming")) return moving[column];
    return bars[name]?.[column] ?? "";
  };
  const spreads = (figure: (cost: Cost) => number) => opens.map((costs) => spread(costs.map(figure)));
  printTable(
    [`${nameOf(shape)} blocks, processor ms`, "promised", ...names],
    [
      ["open", barOf("open"), ...spreads(({ cpu }) => cpu)],
      ...frames.map(({ name, values }) => [name, barOf(name), ...values.map(medianAndMost)]),
      ["open, wall", barOf("open, wall"), ...spreads(({ wall }) => wall)],
      ...counts.map(({ name, values }) => [
        name,
        barOf(name),
        ...values.map((list) => (name.startsWith("elements") ? thousands(median(list)) : short(median(list)))),
      ]),
    ],
  );
}

function thousands(value: number): string {
  return value.toLocaleString("en");
}
