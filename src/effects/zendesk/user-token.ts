import { textIn } from "../../core/credentials/kind.ts";
import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { EffectContext } from "../effect-context.ts";

/**
 * The lifetime is long enough for a widget to load, but short because the token may remain in a log of the visitor's
 * browser.
 */
const lifetime = "5m";

/**
 * Signs a token with which Zendesk identifies a visitor. No request is sent. The token never claims that the e-mail
 * address is verified, because the widget would then show the chats of that address to anyone with the token.
 */
export async function performUserToken(
  { credentialsId, userId, name, email }: Extract<Effect, { kind: "userToken" }>,
  { credentials }: Pick<EffectContext, "credentials">,
): Promise<Report> {
  const data = await credentials?.find({ type: "zendesk", credentialsId });
  if (data === undefined || data === "unreadable") return { kind: "userToken", token: null };
  await credentials?.noteUse({ credentialsId });
  const claims = { scope: "user", external_id: userId, ...(name && { name }), ...(email && { email }) };
  const { SignJWT } = await import("jose");
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: textIn(data, "conversationsKeyId") ?? "" })
    .setExpirationTime(lifetime)
    .sign(new TextEncoder().encode(textIn(data, "conversationsSecretKey") ?? ""));
  return { kind: "userToken", token };
}
