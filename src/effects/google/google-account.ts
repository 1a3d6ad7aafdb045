import { type CredentialsData, textIn } from "../../core/credentials/kind.ts";

/**
 * The credentials for Google's token endpoint: a service account's key, or the refresh token that a person gave to a
 * client.
 */
export type GoogleAccount =
  | { readonly kind: "service"; readonly clientEmail: string; readonly privateKey: string }
  | { readonly kind: "person"; readonly refreshToken: string; readonly client: GoogleClient; readonly account: string };

/** A client that people let use their Google accounts. */
export type GoogleClient = { readonly id: string; readonly secret: string };

/**
 * The account of credentials; undefined if they lack a part. A client in the credentials takes precedence over the
 * operator's.
 */
export function accountOf(data: CredentialsData, operators: GoogleClient | undefined): GoogleAccount | undefined {
  const [clientEmail, privateKey] = [textIn(data, "clientEmail"), textIn(data, "privateKey")];
  if (clientEmail !== undefined && privateKey !== undefined) return { kind: "service", clientEmail, privateKey };
  const refreshToken = textIn(data, "refreshToken");
  const [id, secret] = [textIn(data, "clientId"), textIn(data, "clientSecret")];
  const client = id !== undefined && secret !== undefined ? { id, secret } : operators;
  if (refreshToken === undefined || client === undefined) return undefined;
  return { kind: "person", refreshToken, client, account: textIn(data, "account") ?? "" };
}

/** The address that a file has to be shared with. */
export function addressOf(account: GoogleAccount): string {
  return account.kind === "service" ? account.clientEmail : account.account;
}

/** The parts that no report may contain. */
export function keysOf(account: GoogleAccount): readonly string[] {
  return account.kind === "service" ? [account.privateKey] : [account.refreshToken, account.client.secret];
}
