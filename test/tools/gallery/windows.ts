import type { Cell, Look, Subject } from "./cell.ts";

/** A window of a realistic size with the dock at the bottom, as visitors see it. */
export type Frame = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly surface: Look["surface"];
  readonly direction?: Look["direction"];
  /** Whether the window uses the theme of new bots. */
  readonly isClear?: boolean;
  /** The visitor's text size as a multiple of the default size. */
  readonly textSize?: number;
  /** Whether the visitor's own colours override the theme's colours. */
  readonly hasForcedColors?: boolean;
};

/** The window sizes: a phone, a larger phone, a tablet in landscape format, and a desktop screen. */
const sizes = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 768, height: 600 },
  { width: 1440, height: 900 },
] as const;

const looks = [
  { look: "light", surface: "light" },
  { look: "dark", surface: "dark" },
  { look: "rtl", surface: "light", direction: "rtl" },
  { look: "text-200", surface: "light", textSize: 2 },
  { look: "text-200-dark-rtl", surface: "dark", direction: "rtl", textSize: 2 },
  { look: "forced-colors", surface: "light", hasForcedColors: true },
] as const;

/** One window for each combination of width and look. */
const grid: readonly Frame[] = sizes.flatMap((size) =>
  looks.map(({ look, ...rest }) => ({ name: `window-${size.width}-${look}`, ...size, ...rest })),
);

export const frames: readonly Frame[] = [
  ...grid,
  { name: "window-390-clear", width: 390, height: 844, surface: "light", isClear: true },
  { name: "window-768-picture", width: 768, height: 600, surface: "image" },
  { name: "window-1440-clear", width: 1440, height: 900, surface: "light", isClear: true },
  { name: "window-embedded", width: 360, height: 420, surface: "light" },
  // Windows of 768 and 1440 pixels with a page zoom of 200 %.
  { name: "window-768-zoom-200", width: 384, height: 300, surface: "light" },
  { name: "window-1440-zoom-200", width: 720, height: 450, surface: "light" },
];

/** Returns one cell for each subject that is shown in other looks, filled in if possible. */
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
