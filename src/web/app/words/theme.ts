import english from "./en/theme.json";
import { area } from "./language.ts";

export const themeWords = area("theme", english);
