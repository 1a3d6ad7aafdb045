/**
 * Defaults of a theme's appearance, used by schemas, forms, the documentation and pages. They are separate from other
 * defaults because few pages need them. This file contains plain values without TypeBox. The style sheet repeats the
 * column width and the colours of `default-colors.ts`. `test/web/default-look.test.ts` compares them.
 */
export const lookDefaults = {
  backgroundType: "Color",
  fontType: "Google",
  /** The size of the column as CSS lengths. */
  maxWidth: "800px",
  maxHeight: "100%",
  progressBar: {
    placement: "Top",
    /** The thickness of the progress bar in pixels. */
    thickness: 4,
    position: "absolute",
  },
  /** The blur radius in pixels. */
  blur: 0,
  opacity: 1,
  lineOpacity: 1,
  /** The thickness of a field's line, in pixels. */
  fieldLine: 1,
  buttonsLayout: "wrap",
  /** The corner radius in pixels for the roundness `custom`. */
  customRoundness: 6,
} as const;

/**
 * The roundness in pixels for each keyword. Boxes whose theme sets no roundness use the roundness of the style sheet.
 */
export const roundness = { none: 0, medium: 6, large: 20 } as const;
