import { Type } from "@sinclair/typebox";

/** The environment variables of messengers. */
export const channelSettings = {
  CHANNELS: Type.Boolean({
    default: true,
    description:
      "Whether bots talk on messengers here. `off`: connections stay as they are, nothing is taken in or sent; for a copy of a database whose original still runs.",
    expected: "on, off, true, false, 1 or 0",
  }),
  TELEGRAM_API_URL: Type.String({
    default: "https://api.telegram.org",
    format: "server-origin",
    description:
      "Origin of the Bot API: Telegram's, or that of your own Bot API server, which may be on a private network.",
    expected:
      "an origin such as https://api.telegram.org, without a path, and none at which a cloud gives out its keys",
  }),
} as const;
