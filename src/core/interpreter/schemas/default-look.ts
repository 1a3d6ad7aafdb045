/**
 * Defaults of a theme's look, separate from other defaults: few pages need them. Schemas, forms, the documentation and
 * pages import them from here. Plain values, never TypeBox. The style sheet repeats the column's width and the colours
 * (`default-colors.ts`), in one place each: `test/web/default-look.test.ts` compares them.
 */
export const lookDefaults = {
  backgroundType: "Color",
  fontType: "Google",
  /** The size of the column, as CSS lengths. */
  maxWidth: "800px",
  maxHeight: "100%",
  progressBar: {
    placement: "Top",
    /** Pixels. */
    thickness: 4,
    position: "absolute",
  },
  /** Pixels. */
  blur: 0,
  opacity: 1,
  lineOpacity: 1,
  /** The thickness of a field's line, in pixels. */
  fieldLine: 1,
  buttonsLayout: "wrap",
  /** Pixels. */
  customRoundness: 6,
} as const;

/** The pixels of words for roundness. Boxes whose theme sets no roundness have that of the style sheet. */
export const roundness = { none: 0, medium: 6, large: 20 } as const;
