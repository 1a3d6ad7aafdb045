import { area, say, type WordsOf } from "./language.ts";

/** The two sides of a comparison. */
export type Named =
  | { readonly kind: "draft" }
  | { readonly kind: "version"; readonly number: number }
  | { readonly kind: "moment"; readonly revision: number };

function valuesOf(named: Named) {
  const { kind } = named;
  if (kind === "draft") return { kind };
  return { kind, number: kind === "version" ? named.number : named.revision };
}

/** The names of the two sides, in the form that their place in the title of a comparison wants. */
export const comparedWords = area("compared", {
  from: (named: Named) =>
    say(
      {
        by: "kind",
        "=draft": "From the draft",
        "=version": "From version {number}",
        other: "From the draft as of change {number}",
      },
      valuesOf(named),
    ),
  to: (named: Named) =>
    say(
      {
        by: "kind",
        "=draft": "to the draft",
        "=version": "to version {number}",
        other: "to the draft as of change {number}",
      },
      valuesOf(named),
    ),
});

/** The words of versions: what was published, what sets them apart, and going back. */
export const versionWords = area("version", {
  title: "Versions",
  intro: "Each publication saves the flow as a version. You can make any version live again.",
  list: "Versions of this bot",
  none: "Nothing published yet",
  noneText: "Your first publication appears here as version 1.",
  toFlow: "Open the flow",
  version: (number: number) => say("Version {number}", { number }),
  draft: "Draft",
  live: "Live",
  isDraft: "Saved draft",
  canary: (percent: number) => say("Canary, {percent} %", { percent }),
  number: "Version",
  note: "Note",
  published: "Published",
  by: "By",
  somebody: "Somebody",
  results: "Results",
  resultsText: ({ views, completions }: { readonly views: number; readonly completions: number }) =>
    say(
      { by: "views", "=0": "0", other: "{views, number} · {percent} % completed" },
      { views, percent: Math.round((completions / views) * 100) },
    ),
  resultsHelp: "Chats that started on this version, and how many were completed",
  acts: (number: number) => say("Actions for version {number}", { number }),
  open: "View",
  compareDraft: "Compare with the draft",
  compareLive: "Compare with the live version",
  compareTwo: "Compare",
  compareHint: "Select two versions to compare them.",
  compareWith: "Compare with …",
  compareVersion: (number: number) => say("Compare with version {number}", { number }),
  publishAgain: "Publish again",
  publishAgainOf: (number: number) => say("Publish again, version {number}", { number }),
  bring: "Restore to the draft",
  further: "Show older versions",
  draftDiffers: "The draft has unpublished changes",
  draftSame: "The draft is the same as the live version.",
  back: "All versions",
  readOnly: "Versions can’t be edited. You see this one as it was published.",
  readOnlyDraft: "This draft was never published. It was saved when another draft replaced it.",
  preview: "Preview",
  options: "Block",
  closePanel: "Close the panel",
  asList: "List",
  onCanvas: "Canvas",
  shape: "View",
  compare: "Comparison",
  compareTitle: (from: Named, to: Named) =>
    say("{from} {to}", { from: comparedWords.value.from(from), to: comparedWords.value.to(to) }),
  from: "From",
  to: "To",
  swap: "Swap",
  publishTitle: (number: number) => say("Publish version {number} again", { number }),
  publishText: (number: number) =>
    say("Version {number} goes live again, under a new number. The draft does not change.", { number }),
  publishNote: "Note for your team",
  backTo: (number: number) => say("Back to version {number}", { number }),
  forVisitors: "What changes for visitors",
  isLiveAlready: "This flow is already live.",
  isLiveNow: (number: number) => say("Version {number} is live", { number }),
  bringTitle: (number: number) => say("Restore version {number} to the draft", { number }),
  bringText: "This version replaces the draft. The current draft is saved as a version, and visitors notice nothing.",
  forDraft: "What changes in the draft",
  isDraftAlready: "The draft is already the same.",
  brought: (number: number, kept: number) =>
    say("Version {number} is now the draft. The previous draft is saved as version {kept}.", { number, kept }),
  moved: "Someone changed the draft in the meantime. Check the changes again.",
  first: "No version is live.",
  publishNumberAgain: (number: number) => say("Publish version {number} again", { number }),
  bringNumber: (number: number) => say("Restore version {number} to the draft", { number }),
  more: "More actions",
  near: "Actions",
  noVersion: (number: number) => say("There is no version {number}", { number }),
  noMoment: "The history does not go back that far",
  noName: (name: string) => say("“{name}” is not a version", { name }),
  noVersionText: "The list has all versions of this bot.",
  tryThis: "Try this version",
  whatChanged: "What changed",
  whatChangedIn: (number: number) => say("What changed, version {number}", { number }),
  sameChosen: "Choose two different versions above.",
  sameText: "Both have the same flow, theme and settings.",
  openHere: (name: string, version: string) => say("Open {version} at {name}", { name, version }),
  editHere: (name: string) => say("Edit {name}", { name }),
  moment: (revision: number) => say("Draft as of change {revision}", { revision }),
  lookedAt: "Selected change",
  pressSomething: "Select a card to see its changes, or step through them one by one.",
  variables: "Variables",
  wholeNote: "Show full note",
  shortNote: "Show less",
});

export type VersionWords = WordsOf<typeof versionWords>;
