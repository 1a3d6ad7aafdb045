import { area, say } from "./language.ts";

export const themeWords = area("theme", {
  title: "Theme",
  parts: "Parts of the page",
  sections: {
    page: "Page",
    avatars: "Avatars",
    hostBubbles: "Bot’s bubbles",
    guestBubbles: "Visitor’s bubbles",
    inputs: "Fields",
    buttons: "Buttons",
    progress: "Progress",
    code: "Own CSS",
  },
  pressHint: "Press a part of the page to change it.",
  darkTitle: "For dark screens",
  darkText:
    "What you change here is for visitors who like their screens dark. What you leave open is as in the rest of the theme.",
  darkNone:
    "This theme has colours of its own, and is the same for all. Change something here, and it has a second look for dark screens.",
  darkOwn:
    "This theme names no colours: on dark screens the page has dark ones of its own. Change something here, and it holds there alone.",
  darkRemove: "Remove the look for dark screens",
  opened: (section: string) => say("{section} opened", { section }),
  take: "Take a theme …",
  takeTitle: "Take a theme",
  takeText: "It takes the place of this bot’s whole theme. Undo brings back what was there.",
  templates: "Kept in the workspace",
  noTemplates: "Nothing is kept yet. “Keep this theme” puts this one here, for all bots of the workspace.",
  fromBots: "Of another bot",
  noBots: "There is no other bot in this workspace.",
  taken: (name: string) => say("This bot looks like “{name}” now", { name }),
  keep: "Keep this theme …",
  keepTitle: "Keep this theme",
  keepText: "It can be given to every bot of the workspace. Bots that have it do not follow later changes.",
  name: "Name",
  save: "Keep",
  kept: (name: string) => say("“{name}” is kept", { name }),
  remove: (name: string) => say("Remove “{name}”", { name }),
  removeText: "Bots that have this theme keep it.",
  removed: (name: string) => say("“{name}” is removed", { name }),
  more: "More for this theme",
});
