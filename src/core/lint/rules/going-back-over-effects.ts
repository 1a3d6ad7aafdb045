import { readKnown } from "../../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import type { Rule } from "../rule.ts";

export const goingBackOverEffects: Rule = {
  name: "going_back_over_effects",
  severity: "info",
  about: "Visitors may go back to their last answer, and the flow has blocks that send or call something.",
  advice: "Make sure that sending something twice does no harm, or switch `settings.general.isGoBackEnabled` off.",
  *find({ flow, blocks, registry }) {
    if (!readKnown(SettingsSchema, flow.settings)?.general?.isGoBackEnabled) return;
    if (!blocks.some(({ block }) => registry.get(block.type)?.family === "integration")) return;
    yield {
      path: "settings.general.isGoBackEnabled",
      message: "Going back does not undo calls: integrations that have run since then run again on the way forward.",
    };
  },
};
