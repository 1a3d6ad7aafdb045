import { findLowContrast } from "../../theme/contrast.ts";
import type { Rule } from "../rule.ts";

export const lowContrast: Rule = {
  name: "low_contrast",
  severity: "warning",
  about:
    "A colour of the theme, or of its dark variant, is too like its background by WCAG 2.2 AA: 4.5 for text, 3 for edges and marks. Colours from variables, and text over a picture, are not checked.",
  advice: "Choose a darker or a lighter colour.",
  find: ({ flow }) => findLowContrast(flow),
};
