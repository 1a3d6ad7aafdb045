import english from "./en/heap.json";
import { area } from "./language.ts";

/** The words of the hint above a flow whose cards have no places of their own. */
export const heapWords = area("heap", english);
