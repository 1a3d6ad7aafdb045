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
  intro: "Each time you publish, the flow is kept as it is at that moment. Any version can go live again.",
  list: "Versions of this bot",
  none: "Nothing was published yet",
  noneText: "With the first publication, the flow is kept here as version 1.",
  toFlow: "Open the flow",
  version: (number: number) => say("Version {number}", { number }),
  draft: "Draft",
  live: "Live",
  isDraft: "Kept draft",
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
  resultsHelp: "Chats that began on this version, and how many of them came to an end",
  acts: (number: number) => say("What can be done with version {number}", { number }),
  open: "Look at it",
  compareDraft: "Compare with the draft",
  compareLive: "Compare with what is live",
  compareTwo: "Compare",
  compareHint: "Choose two versions to compare them.",
  compareWith: "Compare with …",
  compareVersion: (number: number) => say("Compare with version {number}", { number }),
  publishAgain: "Publish again",
  publishAgainOf: (number: number) => say("Publish again, version {number}", { number }),
  bring: "Bring into the draft",
  further: "Show older versions",
  draftDiffers: "The draft is not what visitors meet",
  draftSame: "The draft is what visitors meet.",
  back: "All versions",
  readOnly: "A version never changes. You see it as it was published.",
  readOnlyDraft: "Nobody published this: it was the draft until another one took its place.",
  preview: "Preview",
  options: "Block",
  closePanel: "Close the panel",
  asList: "List",
  onCanvas: "Canvas",
  shape: "How the difference is shown",
  compare: "Comparison",
  compareTitle: (from: Named, to: Named) =>
    say("{from} {to}", { from: comparedWords.value.from(from), to: comparedWords.value.to(to) }),
  from: "From",
  to: "To",
  swap: "The other way round",
  publishTitle: (number: number) => say("Publish version {number} again", { number }),
  publishText: (number: number) =>
    say("Visitors meet version {number} again, under a new number. The draft stays as it is.", { number }),
  publishNote: "Why? (for your team)",
  backTo: (number: number) => say("Back to version {number}", { number }),
  forVisitors: "What changes for visitors",
  isLiveAlready: "Visitors meet this flow already.",
  isLiveNow: (number: number) => say("Version {number} is live", { number }),
  bringTitle: (number: number) => say("Bring version {number} into the draft", { number }),
  bringText: "The draft becomes what this version is. The draft as it is now is kept, and visitors notice nothing.",
  forDraft: "What changes in the draft",
  isDraftAlready: "The draft is like this already.",
  brought: (number: number, kept: number) =>
    say("The draft is version {number} now. As it was, it is kept as version {kept}.", { number, kept }),
  moved: "Somebody has changed the draft meanwhile. Look again at what would change.",
  first: "Visitors do not meet any version now.",
  publishNumberAgain: (number: number) => say("Publish version {number} again", { number }),
  bringNumber: (number: number) => say("Bring version {number} into the draft", { number }),
  more: "What else can be done",
  near: "What can be done",
  noVersion: (number: number) => say("There is no version {number}", { number }),
  noMoment: "The log does not go back so far",
  noName: (name: string) => say("“{name}” is no version", { name }),
  noVersionText: "All that was published of this bot is in its list of versions.",
  tryThis: "Try this version",
  whatChanged: "What changed",
  whatChangedIn: (number: number) => say("What changed, version {number}", { number }),
  sameChosen: "Choose two different versions above.",
  sameText: "Both have the same flow, theme and settings.",
  openHere: (name: string, version: string) => say("Open {version} at {name}", { name, version }),
  editHere: (name: string) => say("Edit {name}", { name }),
  moment: (revision: number) => say("Draft as of change {revision}", { revision }),
  lookedAt: "The change that is looked at",
  pressSomething: "Press a card to see what changed in it, or go through the changes one by one.",
  variables: "Variables",
  wholeNote: "Show all of the note",
  shortNote: "Show less",
});

export type VersionWords = WordsOf<typeof versionWords>;
