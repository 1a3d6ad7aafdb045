import type { Cell, Look, Subject } from "./cell.ts";

/** A window of a real size, in which the dock is at the lower edge, as a visitor has it. */
export type Frame = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly surface: Look["surface"];
  readonly direction?: Look["direction"];
  /** In the theme of new bots. */
  readonly isClear?: boolean;
  /** Text as large as a visitor has set it, in parts of the usual size. */
  readonly textSize?: number;
  /** The visitor's own colours go before the theme's. */
  readonly hasForcedColors?: boolean;
};

export const frames: readonly Frame[] = [
  { name: "window-320-dark-rtl", width: 320, height: 568, surface: "dark", direction: "rtl" },
  { name: "window-390-clear", width: 390, height: 844, surface: "light", isClear: true },
  { name: "window-768-picture", width: 768, height: 600, surface: "image" },
  { name: "window-1440-clear", width: 1440, height: 900, surface: "light", isClear: true },
  { name: "window-embedded", width: 360, height: 420, surface: "light" },
  { name: "window-text-200", width: 390, height: 844, surface: "light", textSize: 2 },
  { name: "window-forced-colors", width: 390, height: 600, surface: "light", hasForcedColors: true },
];

/** Each subject that is shown in other looks, too, once: as it is when the visitor has filled it in, else as it is. */
export function windowCells(subjects: readonly Subject[], frame: Frame): Cell[] {
  const { surface, direction = "ltr" } = frame;
  return subjects
    .filter(({ isPaired }) => isPaired)
    .map((subject): Cell => {
      const state = (["filled", "idle"] as const).find((one) => subject.states.includes(one)) ?? subject.states[0];
      if (!state) throw new Error(`${subject.name} has no state`);
      return { subject, state, look: { surface, roundness: undefined, direction, width: 390 }, frame };
    });
}
