import { findLowContrast } from "../../theme/contrast.ts";
import type { Rule } from "../rule.ts";

export const lowContrast: Rule = {
  name: "low_contrast",
  severity: "warning",
  about:
    "A colour of the theme, or of its dark variant, is too like its background by WCAG 2.2 AA: 4.5 for text, 3 for edges and marks. One finding names all of them. Colours from variables, text over a picture, and pairs of the default look before version 6.1, which older flows store, are not checked. Parts that the own CSS colours are judged in the builder alone, as its sample page draws them beside the theme.",
  advice: "Choose a darker or a lighter colour.",
  *find({ flow, facts }) {
    const [first, ...others] = findLowContrast(flow, facts.drawn);
    if (!first) return;
    const also = others.map(({ path, selector = path }) => `\`${selector}\``).join(", ");
    yield { path: first.path, message: also === "" ? first.message : `${first.message} Also too faint: ${also}.` };
  },
};
