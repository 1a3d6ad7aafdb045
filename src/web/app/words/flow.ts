import { area, say, type WordsOf } from "./language.ts";

/** The words of the flow screen: its bar, and what becomes of an author's work. */
export const flowWords = area("flow", {
  saving: {
    saved: "Saved",
    saving: "Saving…",
    offline: "Offline, kept in this browser",
    offlineNotKept: "Offline, and this browser keeps nothing",
    toDecide: (count: number) => say("{count} to decide", { count }),
    refused: "Not everything is saved",
    closed: "Closed",
    stopped: "Read only",
    "signed-out": "Sign in again to save",
    forbidden: "You may not change this bot any more",
    archived: "This bot is archived: restore it to change it",
    suspended: "The workspace is suspended",
    gone: "This bot is not there any more",
    outdated: "The service is of another version: reload the page",
    nextTry: (seconds: number) => say("Next try in {seconds} s", { seconds }),
    tryNow: "Try now",
    notKept: "This browser keeps nothing: a reload would lose what is not saved.",
    muchWaiting: "More than 2 MB wait to be saved. Keep this page open until the service can be reached.",
    download: "Download what is not saved",
  },
  live: {
    elsewhere:
      "You have this bot open in many other windows, so this one is told of other people's changes only every ten seconds. Your own are saved as ever.",
    followHere: "Follow here",
  },
  bar: {
    undo: "Undo",
    redo: "Redo",
    undoOf: (title: string) => say("Undo: {title}", { title }),
    redoOf: (title: string) => say("Redo: {title}", { title }),
    undone: (title: string) => say("Undone: {title}", { title }),
    redone: (title: string) => say("Done again: {title}", { title }),
    left: (count: number, who: string) =>
      say(
        {
          one: "One change was left, since {who} changed it",
          other: "{count} changes were left, since {who} changed it",
        },
        { count, who },
      ),
    somebody: "somebody else",
    find: "Find in this flow",
    preview: "Preview",
    publish: "Publish",
    publishWith: (findings: number) =>
      say({ by: "findings", one: "Publish, 1 finding", other: "Publish, {findings} findings" }, { findings }),
    here: (names: string) => say("Here now: {names}", { names }),
    follow: (name: string) => say("Follow {name}", { name }),
    following: (name: string) => say("You follow {name}. Escape ends it.", { name }),
    followEnded: "You follow nobody any more.",
    panels: "Panels",
    more: "More",
  },
  readOnly: {
    right: "You may read this bot, but not change it. Somebody who manages the workspace can let you.",
    older: "This flow is of an older version. Bring it up to date to edit it here; chats that run are not touched.",
    upgrade: "Bring up to date",
  },
  failed: "The flow could not be opened.",
  again: "Try again",
});

export type FlowWords = WordsOf<typeof flowWords>;
