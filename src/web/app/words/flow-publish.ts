import { area, say, type WordsOf } from "./language.ts";

/** The words of what is not saved, and of publishing. */
export const publishWords = area("publish", {
  unsaved: {
    refused: "This could not be saved",
    depends: "This needs something that was not saved",
    mine: "Mine",
    theirs: "Theirs",
    both: "Both",
    keepMine: "Keep mine",
    keepTheirs: "Take theirs",
    keepBoth: "Keep both",
    bringBack: "Bring it back with this",
    letGo: "Let it go",
    removed: "removed",
    somebody: "Somebody else",
    changedBy: (name: string) => say("{name} changed the same.", { name }),
    changedAt: (name: string, time: string) => say("{name} changed the same, {time}.", { name, time }),
    toDecide: (title: string) => say("To decide: {title}", { title }),
    showField: "Show the field",
    none: "Everything is saved.",
  },
  publish: {
    title: "Publish",
    note: "What is new? (for your team)",
    nothing: "Visitors meet this already.",
    first: "Nobody but your team has met this bot yet. It gets an address, and whoever has that can chat with it.",
    blocked: "This flow would break chats. Mend its errors, or publish all the same.",
    force: "Publish all the same",
    publish: "Publish",
    done: (number: number) => say("Version {number} is live", { number }),
    open: "Open",
    moved: "The draft was changed meanwhile. Look again at what would be published.",
    changes: "What changes for visitors",
    added: "added",
    removed: "removed",
    changed: "changed",
    reordered: "moved",
  },
});

export type PublishWords = WordsOf<typeof publishWords>;
