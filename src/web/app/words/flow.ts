import { area, say } from "./language.ts";

/** The words of the flow screen: its bar, and what becomes of an author's work. */
export const flowWords = area("flow", {
  saving: {
    saved: "Saved",
    saving: "Saving…",
    offline: "Offline, saved in this browser",
    offlineNotKept: "Offline, and this browser can’t save",
    toDecide: (count: number) => say("{count} to decide", { count }),
    refused: "Not everything is saved",
    closed: "Closed",
    stopped: "Read only",
    "signed-out": "Sign in again to save",
    forbidden: "You can no longer edit this bot",
    archived: "This bot is archived: restore it to change it",
    suspended: "The workspace is suspended",
    gone: "This bot no longer exists",
    outdated: "Parley was updated: reload the page",
    nextTry: (seconds: number) => say("Retrying in {seconds} s", { seconds }),
    tryNow: "Retry now",
    notKept: "This browser can’t store your work. A reload would lose unsaved changes.",
    muchWaiting: "More than 2 MB of changes wait to be saved. Keep this page open until you are back online.",
    download: "Download unsaved changes",
  },
  live: {
    elsewhere:
      "This bot is open in many of your windows, so this one gets other people’s changes only every ten seconds. Your own changes are saved as usual.",
    followHere: "Update this window live",
  },
  bar: {
    undo: "Undo",
    redo: "Redo",
    undoOf: (title: string) => say("Undo: {title}", { title }),
    redoOf: (title: string) => say("Redo: {title}", { title }),
    undone: (title: string) => say("Undone: {title}", { title }),
    redone: (title: string) => say("Redone: {title}", { title }),
    left: (count: number, who: string) =>
      say(
        {
          one: "One change was not undone, since {who} changed it",
          other: "{count} changes were not undone, since {who} changed them",
        },
        { count, who },
      ),
    somebody: "someone else",
    find: "Find in this flow",
    preview: "Preview",
    publish: "Publish",
    publishWith: (findings: number) =>
      say({ by: "findings", one: "Publish, 1 finding", other: "Publish, {findings} findings" }, { findings }),
    here: (names: string) => say("Here now: {names}", { names }),
    follow: (name: string) => say("Follow {name}", { name }),
    following: (name: string) => say("You are following {name}. Press Escape to stop.", { name }),
    followEnded: "You stopped following.",
    panels: "Panels",
    more: "More",
  },
  readOnly: {
    right: "You can view this bot but not edit it. Ask an administrator of the workspace for access.",
    older: "This flow has an older version. Update it to edit it here. Running chats are not affected.",
    upgrade: "Update the flow",
  },
  failed: "The flow could not be opened.",
  again: "Try again",
});
