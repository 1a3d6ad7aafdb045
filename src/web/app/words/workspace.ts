import { type EventType, events, eventTypes } from "../../../events.ts";
import { area, say, type WordsOf } from "./language.ts";

function eventTitles(): Readonly<Record<EventType, string>>;
function eventTitles(): object {
  return Object.fromEntries(eventTypes.map((type) => [type, events[type].title]));
}

/** The words of a workspace's credentials, secrets, events, guests and files. */
export const workspaceWords = area("workspace", {
  credentialsText: "Keys for mail servers and model providers. They are stored encrypted and never shown again.",
  newCredentials: "New credentials",
  noCredentialsText: "Blocks that send e-mails or call a language model need credentials.",
  keyHelp: "Stored encrypted and never shown again.",
  keyAgain: "Leave empty to keep the current one.",
  optional: "optional",
  unreadable: "Can’t be decrypted",
  unreadableText: "This instance has no key that decrypts them. Enter the secret again.",
  lastUsed: "Last used",
  never: "never",
  test: "Test",
  accepted: "Accepted",
  refused: "Refused",
  testTitle: (name: string) => say("Test of “{name}”", { name }),
  deleteTitle: (name: string) => say("Delete “{name}”?", { name }),
  deleteCredentialsText: "Blocks that use them stop working, and their logs say so. This cannot be undone.",
  credentialsInUse: "Published bots use them.",
  deleteAnyway: "Delete anyway",
  delete: "Delete",
  edit: "Edit",

  secrets: "Secrets",
  secretsText:
    "Use them in HTTP requests and scripts as {{secret.NAME}}. The value is filled in when the request is sent.",
  newSecret: "New secret",
  editSecret: "Edit secret",
  noSecrets: "No secrets yet",
  noSecretsText: "Keep keys here, and no flow, log or export shows them.",
  secretName: "Name",
  secretNameHelp: "Capital letters, digits and underscores: CRM_KEY.",
  secretValue: "Value",
  secretHosts: "Allowed hosts",
  secretHostsHelp: "Separate hosts with commas. Leave empty to allow any host.",
  anyHost: "any host",
  secretNote: "Description",
  deleteSecretText:
    "Requests that use it are no longer sent, and the logs of their results say so. This cannot be undone.",

  editEndpoint: "Edit endpoint",
  whichEvents: "Events",
  allEvents: "All events",
  eventCount: (count: number) => say({ one: "1 event type", other: "{count, number} event types" }, { count }),
  oneEvent: "Choose at least one event.",
  eventTypes: {
    ...eventTitles(),
    ping: "Ping",
  },
  delivering: "Delivering",
  listening: "On a developer’s machine",
  pending: (count: number) => say("{count, number} waiting", { count }),
  filter: "Show",
  allDeliveries: "All",
  noneOfKind: "No deliveries with this status.",
  answerOf: (status: number | string) => say("Response: {status}", { status }),
  showAnswer: "Response",
  emptyAnswer: "The response was empty.",
  nextAttempt: (when: string) => say("Next attempt {when}", { when }),
  rotateTitle: "Create a new secret?",
  rotateText: "For one day, messages are signed with both the old and the new secret, so you can update your server.",
  rotate: "New secret",

  guests: "Guests",
  guestsText: "People with access to one bot of this workspace and nothing else.",
  bot: "Bot",
  chooseBot: "Choose a bot",
  noBot: "No bots found",
  inviteGuest: "Invite a guest",
  inviteText: (bot: string) =>
    say("They get access to “{bot}” only. People without an account get an invitation.", { bot }),
  email: "E-mail",
  may: "Access",
  mayRead: "Can view",
  mayWrite: "Can edit",
  noGuests: "No guests yet",
  noGuestsText: "Members of the workspace have access anyway. Invite someone to this bot only.",
  person: "Person",
  invitedUntil: (when: string) => say("Invited; the link expires {when}", { when }),
  removeGuest: "Remove",
  removeGuestTitle: (name: string) => say("Remove {name}?", { name }),
  removeGuestText: (bot: string) => say("They lose access to “{bot}”. Their changes stay.", { bot }),
  takeBack: "Withdraw",
  guestAdded: (email: string) => say("{email} now has access", { email }),
  nothingToShare: "No bots yet",
  nothingToShareText: "Create a bot first, then invite guests to it.",

  files: "Files",
  filesText: "Images, audio, videos and fonts for your bots. Anyone with the address can open a file.",
  upload: "Upload",
  dropHere: "Drop files here",
  noFiles: "No files yet",
  noFilesText: (megabytes: number) =>
    say("Upload images for avatars and bubbles, or fonts for themes, up to {megabytes, number} MB each.", {
      megabytes,
    }),
  file: "File",
  size: "Size",
  added: "Added",
  copyAddress: "Copy address",
  addressCopied: "Address copied",
  openFile: "Open",
  deleteFileText: "This cannot be undone. Bots that use the file show nothing in its place.",
  uploaded: (count: number) => say({ one: "1 file uploaded", other: "{count, number} files uploaded" }, { count }),
  notUploaded: (name: string, why: string) => say("“{name}” was not uploaded: {why}", { name, why }),
});

export type WorkspaceWords = WordsOf<typeof workspaceWords>;
