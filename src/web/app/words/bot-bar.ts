import { area } from "./language.ts";

export const botBarWords = area("botBar", {
  back: "Back to the bots",
  parts: "Parts of the bot",
  name: "Name of the bot",
  flow: "Flow",
  theme: "Theme",
  settings: "Settings",
  preview: "Preview",
  share: "Share",
  results: "Results",
  versions: "Versions",
});
