import { Type } from "@sinclair/typebox";
import { helped, titled } from "../../interpreter/schemas/field-marks.ts";
import type { Connection, ProviderCall, Upload } from "../channel.ts";
import { commonSettings } from "../settings.ts";

/** The fields that a connection stores unencrypted. */
export const settings = Type.Object({
  transport: titled(
    "How messages are received",
    Type.Optional(
      Type.Union([Type.Literal("webhook"), Type.Literal("poll")], {
        description:
          "`webhook`: Telegram calls this service, which needs an https address. `poll`: this service polls Telegram. Defaults to `webhook` if the service has an https address.",
      }),
    ),
  ),
  drafts: titled(
    "Show answers as they are written",
    Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether the text of a language model is shown as a draft until it is saved.",
      }),
    ),
  ),
  deepLinks: titled(
    "Bots with links",
    Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: "Public ids of bots that the link `https://t.me/<name>?start=<publicId>` starts.",
      }),
    ),
  ),
  groups: titled(
    "Answer in groups",
    Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether the bot answers in groups, if a message mentions the bot, replies to it, or is a command.",
      }),
    ),
  ),
  ...commonSettings,
});

/** The fields that a connection stores encrypted. */
export const secrets = Type.Object({
  botToken: titled(
    "Bot token",
    helped(
      "From @BotFather, such as 123456:ABC-DEF.",
      Type.String({ pattern: "^\\d{1,20}:[\\w-]{20,100}$", description: "The token from @BotFather." }),
    ),
  ),
  secretToken: titled(
    "Webhook secret",
    Type.String({
      pattern: "^[\\w-]{1,256}$",
      description: "The secret that Telegram sends with each call. The service generates it.",
    }),
  ),
});

export type OfTelegram = Connection<typeof settings, typeof secrets>;

/** Builds a multipart request. The token is in the path. Form values that are not text are serialised as JSON. */
export function uploadOf(
  method: string,
  body: Readonly<Record<string, unknown>>,
  { secrets }: OfTelegram,
  file: Upload & { readonly field: string },
): ProviderCall {
  const fields = Object.entries(body)
    .filter(([name, value]) => name !== file.field && value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const);
  return { method: "POST", path: `/bot${secrets.botToken}/${method}`, headers: [], form: { fields, file } };
}

/** Builds a JSON request. The token is in the path. */
export function callOf(method: string, body: Readonly<Record<string, unknown>>, { secrets }: OfTelegram): ProviderCall {
  return {
    method: "POST",
    path: `/bot${secrets.botToken}/${method}`,
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify(body),
  };
}
