import { area, say } from "./language.ts";

export const settingsWords = area("settings", {
  title: "Settings",
  parts: "Parts of the settings",
  sections: {
    general: "General",
    messages: "Messages of the bot",
    typing: "Typing",
    metadata: "About the page",
    security: "Security",
    models: "Language models",
    availability: "Availability",
    more: "More",
    danger: "Danger",
  },
  texts: {
    general: "How the bot and its page behave.",
    messages: "What the bot says of itself. What stands in an empty field is said in the bot’s language.",
    typing: "How the bot seems to type.",
    metadata: "What search engines, tabs and link previews say of the page.",
    security: "Which sites may show the chat, and what may run in it.",
    models: "What its calls of language models may come to.",
    availability: "Who meets the bot. This takes effect at once, without publishing.",
    more: "For messengers, and what only the API knows.",
    danger: "",
  },
  card: "As networks show it",
  noPicture: "No picture",
  closed: "Closed",
  closedHelp: "Visitors read that it takes no chats. Chats that run go on.",
  live: (number: number) => say("Visitors meet version {number}.", { number }),
  notPublished: "It is not published: nobody meets it yet.",
  notFound: "Not saved",
  publicShare: "Others may read it",
  archive: "Archive this bot",
  archiveText:
    "Visitors cannot start chats with it any more; chats that run go on. Nobody can change or publish it. Results, versions and addresses stay, and it can be restored.",
  remove: "Delete this bot",
  removeText:
    "Its chats end at once, and its addresses are free for others. It lies in the bin for 30 days with all its results, then it is gone for good.",
  nameToDelete: "The name of the bot",
});
