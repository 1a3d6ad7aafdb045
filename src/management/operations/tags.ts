/** The groups of operations in the documentation, in order, with their descriptions. */
export const tags = {
  Workspaces: "What holds bots, folders, credentials and the people who work on them.",
  Members: "Who belongs to a workspace, and what they may do there.",
  Invitations: "Asking people into a workspace, by e-mail address and a code that works once.",
  Folders: "Where the bots of a workspace lie.",
  Bots: "Making, finding, changing, moving, importing and exporting bots. What is changed is a bot's draft: visitors meet what was published.",
  Publishing:
    "Versions of a bot that visitors meet: publishing, comparing, restoring, trying a new one with some visitors only, and reading a draft for faults before.",
  "Test conversations":
    "Conversations that a bot has to pass, kept with it and run on demand or before each publication.",
  "HTTP blocks":
    "Blocks that send requests: trying them, and what automation services ask of them and subscribe them to.",
  "Theme templates": "Themes that a workspace keeps, to give them to its bots.",
  "Files of authors": "Pictures, sounds, films and fonts of a workspace, which its bots show.",
  Collaborators: "People who may read or write one bot, without belonging to its workspace.",
  Bin: "What was deleted lies here for 30 days: it can be restored with everything, or erased before its time.",
  Chat: "What visitors' clients call: start a chat, reply, go back, read what was said, send files. No token is needed; the session id is the secret.",
  Results: "What visitors answered: lists, filters, transcripts, files, logs and exports.",
  Insight: "What results come to: how many visitors came, answered and left, where, and how long it took.",
  "Event endpoints":
    "Addresses of yours that are told when something happens: signed calls, with a log of each delivery.",
  "Custom domains": "Domains of yours under which bots are served.",
  Credentials: "What blocks need to call other services: kept encrypted, never given back.",
  Secrets: "Values that flows name as `{{secret.NAME}}`, and nobody reads.",
  Models: "What calls of language models may come to, what they cost, and what they came to.",
  "Sign-in":
    "How people, in a browser, come to be known by a cookie in place of a token, and where they are signed in.",
  Users: "Whoever owns a token; administrators of the instance list, make, rename and deactivate them.",
  "API tokens": "What `Authorization: Bearer` carries: made, listed and revoked here.",
  "Audit log": "Who wrote what, when, with which token and from where.",
  Health: "For probes and operators: whether the process is up, and whether it can serve.",
  "Compatible paths":
    "The same operations in the names of the reference product, for clients that were made for it. New clients need none of them.",
} as const;

export type Tag = keyof typeof tags;

/** The documentation lists them apart from our own, which are all that new clients need. */
export const compatibleTag = "Compatible paths" satisfies Tag;
