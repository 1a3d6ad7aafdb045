import { Type } from "@sinclair/typebox";

/** The environment variables of messengers. */
export const channelSettings = {
  CHANNELS: Type.Boolean({
    default: true,
    description:
      "Whether bots communicate through messengers. With `off`, connections do not change, and nothing is received or sent. Use `off` for a copy of a database whose original is still in use.",
    expected: "on, off, true, false, 1 or 0",
  }),
  TELEGRAM_API_URL: Type.String({
    default: "https://api.telegram.org",
    format: "server-origin",
    description:
      "Origin of the Bot API: Telegram's own, or the origin of your Bot API server, which may be on a private network.",
    expected:
      "an origin such as https://api.telegram.org, without a path, but not an address at which a cloud serves keys",
  }),
} as const;
