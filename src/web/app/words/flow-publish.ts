import { area, say, type WordsOf } from "./language.ts";

/** The words of what is not saved, and of publishing. */
export const publishWords = area("publish", {
  unsaved: {
    refused: "This could not be saved",
    depends: "This depends on a change that was not saved",
    mine: "Your version",
    theirs: "Their version",
    both: "Both",
    keepMine: "Keep mine",
    keepTheirs: "Keep theirs",
    keepBoth: "Keep both",
    bringBack: "Restore it with this change",
    letGo: "Discard my change",
    removed: "removed",
    somebody: "Someone else",
    changedBy: (name: string) => say("{name} changed this, too.", { name }),
    changedAt: (name: string, time: string) => say("{name} changed this, too, {time}.", { name, time }),
    toDecide: (title: string) => say("To decide: {title}", { title }),
    showField: "Show the field",
    none: "Everything is saved.",
  },
  publish: {
    title: "Publish",
    note: "What’s new? (for your team)",
    nothing: "This is already live.",
    first: "This bot is not public yet. Publishing gives it an address, and anyone with the address can chat with it.",
    blocked: "Every chat with this flow fails at once. Fix the errors, or publish anyway.",
    force: "Publish anyway",
    publish: "Publish",
    done: (number: number) => say("Version {number} is live", { number }),
    open: "Open",
    moved: "The draft was changed in the meantime. Check the changes again.",
    changes: "What changes for visitors",
    added: "added",
    removed: "removed",
    changed: "changed",
    reordered: "moved",
  },
});

export type PublishWords = WordsOf<typeof publishWords>;
