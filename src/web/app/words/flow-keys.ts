import english from "./en/key.json";
import { area } from "./language.ts";

/** The words of the list of keys; its other lines have the words of the canvas's menu. */
export const keyWords = area("key", english);
