import { findLowContrast } from "../../theme/contrast.ts";
import type { Rule } from "../rule.ts";

export const lowContrast: Rule = {
  name: "low_contrast",
  severity: "warning",
  about:
    "A colour of the theme, or of its dark variant, is too similar to its background according to WCAG 2.2 AA: the contrast must be 4.5 for text, and 3 for edges and marks. One finding lists all such colours. Colours from variables, text over an image, and colour pairs of the default theme before version 6.1, which older flows store, are not checked. The rule checks parts that custom CSS colours only in the builder, on the sample page next to the theme.",
  advice: "Choose a darker or a lighter colour.",
  *find({ flow, facts }) {
    const [first, ...others] = findLowContrast(flow, facts.drawn);
    if (!first) return;
    const also = others.map(({ path, selector = path }) => `\`${selector}\``).join(", ");
    yield {
      path: first.path,
      message: also === "" ? first.message : `${first.message} Contrast is also too low for: ${also}.`,
    };
  },
};
