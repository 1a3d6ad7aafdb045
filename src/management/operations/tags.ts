/** The groups of operations in the documentation, in order, with their descriptions. */
export const tags = {
  Workspaces: "A workspace holds bots, folders, credentials and the people who work on them.",
  Members: "The people of a workspace, and their roles.",
  Invitations: "Invite people to a workspace by e-mail address and a one-time code.",
  Folders: "Folders organise the bots of a workspace.",
  Bots: "Create, find, change, move, import and export bots. Changes are made to a bot's draft; visitors get the published version.",
  Comments: "Comments of people on a bot's draft, in threads at its groups, blocks and frames.",
  Publishing:
    "Publish, compare and restore versions of a bot, try a new version with a share of the visitors, and check a draft for faults.",
  "Test conversations":
    "Conversations that a bot has to pass. They are stored with it, and run on demand or before each publication.",
  Channels:
    "Connections to messengers, the conversations that bots have there, and what a bot would say. Secrets are stored encrypted and never returned.",
  "HTTP blocks": "Test blocks that send requests, and let automation services subscribe to them.",
  "Theme templates": "Themes that a workspace stores for its bots.",
  "Files of authors": "Pictures, sounds, films and fonts of a workspace, which its bots show.",
  Collaborators: "People who may read or write one bot, without belonging to its workspace.",
  Bin: "Deleted objects stay in the bin for 30 days. Restore them with all their data, or erase them earlier.",
  Chat: "Visitors' clients start a chat, reply, go back, read the conversation and send files. No token is needed; the session id is the secret.",
  Results: "Visitors' answers: lists, filters, transcripts, files, logs and exports.",
  Insight: "Statistics of results: how many visitors came, answered and left, where, and how long it took.",
  "Event endpoints": "URLs of yours that receive events as signed calls, with a log of each delivery.",
  "Custom domains": "Domains of yours under which bots are served.",
  Credentials: "Keys and accounts for calls to other services. They are stored encrypted and never returned.",
  Secrets: "Values that flows use as `{{secret.NAME}}`, and nobody can read.",
  Models: "Budgets, prices and usage of language models.",
  "Sign-in": "Sign in with a cookie in a browser, in place of a token, and list where you are signed in.",
  Users: "Users own tokens. Administrators of the instance list, create, rename and deactivate users.",
  "API tokens": "Tokens for `Authorization: Bearer`: create, list and revoke them.",
  "Audit log": "Every write: by which user, when, with which token and from which address.",
  Health: "For probes and operators: whether the process is up, and whether it can serve.",
  "Compatible paths":
    "The same operations in the names of the reference product, for clients that were made for it. New clients need none of them.",
} as const;

export type Tag = keyof typeof tags;

/** The documentation lists them apart from our own, which are all that new clients need. */
export const compatibleTag = "Compatible paths" satisfies Tag;
