import { valueAt } from "../../interpreter/flow.ts";
import type { Rule } from "../rule.ts";

export const unknownConnection: Rule = {
  name: "unknown_connection",
  severity: "warning",
  about:
    "A bot that answers on messengers names a connection (`messengerCredentialsId`) that its workspace does not have, as after a move, or once the connection was deleted: no messenger asks the bot by that name. Connections that have the bot in their own list ask it all the same.",
  advice: "Choose a connection in the bot's settings, or none.",
  needsWorkspace: true,
  *find({ flow, facts: { isConnectionUnknown } }) {
    if (isConnectionUnknown !== true || valueAt(flow.settings, "whatsApp", "isEnabled") !== true) return;
    yield { path: "settings.messenger", message: "This workspace has no connection of the id that the bot names." };
  },
};
