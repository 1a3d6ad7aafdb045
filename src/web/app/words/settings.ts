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
    messages: "Standard messages of the bot. An empty field uses the text shown, in the bot’s language.",
    typing: "How the bot simulates typing.",
    metadata: "How the page appears in search engines, tabs and link previews.",
    security: "Which sites can show the chat, and which code may run in it.",
    models: "Limits for this bot’s use of language models.",
    availability: "Access to the bot for visitors. Changes apply immediately, without publishing.",
    more: "Settings for messengers, and fields set by the API.",
    danger: "",
  },
  card: "Preview on social networks",
  noPicture: "No picture",
  closed: "Closed",
  closedHelp: "Visitors see that the bot is closed. Running chats continue.",
  live: (number: number) => say("Version {number} is live.", { number }),
  notPublished: "Not published yet.",
  notFound: "Not saved",
  publicShare: "Others may read it",
  archive: "Archive this bot",
  archiveText:
    "Visitors can’t start new chats; running chats continue. Nobody can edit or publish it. Results, versions and addresses stay, and you can restore it.",
  remove: "Delete this bot",
  removeText:
    "Running chats end immediately, and its addresses become available to others. It stays in the bin for 30 days with all its results and is then deleted permanently.",
  nameToDelete: "The name of the bot",
});
