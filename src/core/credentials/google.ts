import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { type CredentialsData, type CredentialsKind, textIn } from "./kind.ts";
import { key, text } from "./members.ts";
import { tidyPrivateKey } from "./private-key.ts";

/** The server name of all Google services in the operator's settings, where they count as one server. */
export const googleServer = "google";

/** The members of a connected account. Parley stores the account name and the token when the account is connected. */
const account = {
  account: Type.Optional(
    text({ title: "Google account", description: "The e-mail address of the connected account.", widget: "kept" }),
  ),
  refreshToken: Type.Optional(
    key({
      title: "Refresh token",
      description: "The token with which Parley acts for the account. Parley stores it when the account is connected.",
      widget: "kept",
    }),
  ),
  clientId: Type.Optional(
    text({
      title: "OAuth client ID",
      description: "Id of your own OAuth client in Google Cloud. Absent: the operator's client.",
      help: "Only for a client of your own in Google Cloud.",
      isAdvanced: true,
    }),
  ),
  clientSecret: Type.Optional(
    key({ title: "OAuth client secret", description: "The secret of your own OAuth client.", isAdvanced: true }),
  ),
};

export const googleSheets: CredentialsKind = {
  type: "google sheets",
  name: "Google Sheets",
  summary: "Spreadsheets of a Google account, or spreadsheets that are shared with a service account.",
  page: "tables.md",
  schema: Type.Object({
    ...account,
    clientEmail: Type.Optional(
      text({
        title: "E-mail address of the service account",
        description: "The address with which you share spreadsheets: `client_email` in the JSON file from Google.",
        help: "Share your spreadsheets with this address, which is `client_email` in Google's file.",
        isAdvanced: true,
      }),
    ),
    privateKey: Type.Optional(
      Type.String({
        title: "Private key of the service account",
        description: "The whole JSON file from Google, or its `private_key`.",
        help: "Paste the whole JSON file from Google, or its `private_key`.",
        isAdvanced: true,
        minLength: 1,
        maxLength: limits.credentials.memberCharacters,
        pattern: "^-----BEGIN PRIVATE KEY-----\\n[A-Za-z0-9+/=\\n]+\\n-----END PRIVATE KEY-----\\n$",
        expected: "the private key of a service account, or the JSON file that has it",
      }),
    ),
  }),
  trial: { kind: "google" },
  serverName: googleServer,
  secretMembers: ["refreshToken", "clientSecret", "privateKey"],
  tidied: tidyPrivateKey,
  problem(data) {
    return partnerProblem(data, ["clientEmail", "privateKey"]) ?? clientProblem(data);
  },
  destination,
};

export const gmail: CredentialsKind = {
  type: "gmail",
  name: "Gmail",
  summary: "Mails of a Google account.",
  page: "integrations.md",
  schema: Type.Object(account),
  trial: { kind: "google" },
  serverName: googleServer,
  secretMembers: ["refreshToken", "clientSecret"],
  problem: clientProblem,
  destination,
};

/** Returns Google's address, because secrets of Google credentials are sent only to Google. */
function destination(): string {
  return "https://oauth2.googleapis.com";
}

/**
 * Returns a problem if only one of client id and client secret is set. Also returns a problem if the credentials
 * contain neither a token nor a private key nor a client id.
 */
function clientProblem(data: CredentialsData): ReturnType<NonNullable<CredentialsKind["problem"]>> {
  const half = partnerProblem(data, ["clientId", "clientSecret"]);
  if (half) return half;
  const hasAny = ["refreshToken", "privateKey", "clientId"].some((member) => textIn(data, member) !== undefined);
  return hasAny ? undefined : { member: "refreshToken", message: "is required: connect a Google account" };
}

function partnerProblem(data: CredentialsData, members: readonly [string, string]) {
  const [missing, ...others] = members.filter((member) => textIn(data, member) === undefined);
  if (missing === undefined || others.length > 0) return undefined;
  return { member: missing, message: `is required together with ${members.find((member) => member !== missing)}` };
}
