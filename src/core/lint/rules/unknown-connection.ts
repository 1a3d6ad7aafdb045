import { valueAt } from "../../interpreter/flow.ts";
import type { Rule } from "../rule.ts";

export const unknownConnection: Rule = {
  name: "unknown_connection",
  severity: "warning",
  about:
    "A bot that answers on messengers refers to a connection (`messengerCredentialsId`) that its workspace does not have, for example after a move or after the connection was deleted. The bot then does not answer through this connection. Connections that list the bot in their own settings still use the bot.",
  advice: "Choose a connection in the bot's settings, or remove the reference.",
  needsWorkspace: true,
  *find({ flow, facts: { isConnectionUnknown } }) {
    if (isConnectionUnknown !== true || valueAt(flow.settings, "whatsApp", "isEnabled") !== true) return;
    yield {
      path: "settings.messenger",
      message: "This workspace has no connection with the id in the bot's settings.",
    };
  },
};
