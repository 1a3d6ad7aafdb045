import { textIn } from "../../core/credentials/kind.ts";
import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { EffectContext } from "../effect-context.ts";

/** Long enough for a widget to load; it may be in a log of the visitor's browser forever. */
const lifetime = "5m";

/**
 * Signs the token by which Zendesk identifies a visitor. Nothing is sent. The token never says that the e-mail address
 * was verified: the widget would show its holder the chats of that address.
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
