import { readKnown } from "../../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import type { Rule } from "../rule.ts";

export const goingBackOverEffects: Rule = {
  name: "going_back_over_effects",
  severity: "info",
  about:
    "Visitors may go back to their last answer, and the flow has blocks that send data, call services, wait for a call, or request a payment.",
  advice: "Make sure that sending something twice does no harm, or switch `settings.general.isGoBackEnabled` off.",
  *find({ flow, blocks, registry }) {
    if (!readKnown(SettingsSchema, flow.settings)?.general?.isGoBackEnabled) return;
    const path = "settings.general.isGoBackEnabled";
    const definitions = blocks.map(({ block }) => registry.get(block.type));
    if (definitions.some((definition) => definition?.family === "integration"))
      yield {
        path,
        message: "Going back does not undo calls: the same integrations run again when the chat continues.",
      };
    if (definitions.some((definition) => definition?.type === "webhook"))
      yield {
        path,
        message:
          "Going back keeps calls of other programs: a received call is used again when the chat continues, even if the visitor gives another answer.",
        advice: "Make sure that these programs send no data that depends on a single answer.",
      };
    if (definitions.some((definition) => definition?.input?.inputType === "payment"))
      yield {
        path,
        message:
          "Going back cancels an open payment. Visitors cannot go back to before a payment that succeeded, even if a wrong answer led to the payment.",
        advice: "Show the answers before the payment, and ask the visitor to confirm them.",
      };
  },
};
