import english from "./en/preview.json";
import { area } from "./language.ts";

export const previewWords = area("preview", english);
