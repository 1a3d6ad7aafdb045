import english from "./en/share.json";
import { area } from "./language.ts";

export const shareWords = area("share", english);
