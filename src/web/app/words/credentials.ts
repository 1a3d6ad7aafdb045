import { area, say } from "./language.ts";

/** The words of the dialog for credentials, and of the page to which a provider leads back. The names of fields come from the service. */
export const credentialsWords = area("credentials", {
  newTitle: "New credentials",
  editTitle: "Edit credentials",
  service: "Service",
  mailServer: "Mail server (SMTP)",
  unreadable: "This instance has no key that decrypts them. Enter their secrets again.",
  refusedAt: (when: string) => say("Refused on {when}", { when }),
  connect: "Connect Google",
  connectAgain: "Connect Google again",
  connectHelp: "Google’s page opens in a new tab.",
  connectSheetsHelp: "Google’s page opens in a new tab. You can use a service account in its place: see More.",
  connectedAs: (account: string) => say("Connected as {account}", { account }),
  waiting: "Agree on Google’s page in the other tab. This dialog then goes on.",
  noTab: "The browser opened no tab. Allow pop-ups for this page, and try again.",
  test: "Test",
  accepted: "Accepted",
  refused: "Refused",
  usedBy: "Used by",
  draftOnly: "(draft only)",
  connectionTitle: "Google account",
  connectionDone: "The account is connected. You can close this tab.",
  closeTab: "Close this tab",
});
