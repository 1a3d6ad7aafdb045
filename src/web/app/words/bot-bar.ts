import english from "./en/bot-bar.json";
import { area } from "./language.ts";

export const botBarWords = area("botBar", english);
