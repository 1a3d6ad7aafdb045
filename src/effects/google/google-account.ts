import { type CredentialsData, textIn } from "../../core/credentials/kind.ts";

/**
 * The credentials for Google's token endpoint: a service account's key, or a refresh token that a person granted to a
 * client.
 */
export type GoogleAccount =
  | { readonly kind: "service"; readonly clientEmail: string; readonly privateKey: string }
  | { readonly kind: "person"; readonly refreshToken: string; readonly client: GoogleClient; readonly account: string };

/** An OAuth client that people authorise to use their Google accounts. */
export type GoogleClient = { readonly id: string; readonly secret: string };

/**
 * Returns the account of credentials, or undefined if a part is missing. A client in the credentials takes precedence
 * over the operator's client.
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

/** Returns the e-mail address with which a file must be shared. */
export function addressOf(account: GoogleAccount): string {
  return account.kind === "service" ? account.clientEmail : account.account;
}

/** Returns the secrets that no report may contain. */
export function keysOf(account: GoogleAccount): readonly string[] {
  return account.kind === "service" ? [account.privateKey] : [account.refreshToken, account.client.secret];
}
