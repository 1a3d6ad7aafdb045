import { readKnown } from "../../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import type { Rule } from "../rule.ts";

export const goingBackOverEffects: Rule = {
  name: "going_back_over_effects",
  severity: "info",
  about:
    "Visitors may go back to their last answer, and the flow has blocks that send or call something, wait for a call, or take a payment.",
  advice: "Make sure that sending something twice does no harm, or switch `settings.general.isGoBackEnabled` off.",
  *find({ flow, blocks, registry }) {
    if (!readKnown(SettingsSchema, flow.settings)?.general?.isGoBackEnabled) return;
    const path = "settings.general.isGoBackEnabled";
    const definitions = blocks.map(({ block }) => registry.get(block.type));
    if (definitions.some((definition) => definition?.family === "integration"))
      yield {
        path,
        message: "Going back does not undo calls: integrations that have run since then run again on the way forward.",
      };
    if (definitions.some((definition) => definition?.type === "webhook"))
      yield {
        path,
        message:
          "Going back keeps calls of other programs: a call that has come is used again on the way forward, whatever the visitor answers then.",
        advice: "Let these programs send nothing that holds for one answer alone.",
      };
    if (definitions.some((definition) => definition?.input?.inputType === "payment"))
      yield {
        path,
        message:
          "Going back cancels a payment that is open, and nobody goes back to before one that was made, also where a wrong answer led to it.",
        advice: "Show the answers before the payment, and ask whether they are right.",
      };
  },
};
