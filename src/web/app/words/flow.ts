import english from "./en/flow.json";
import { area } from "./language.ts";

/** The words of the flow screen: its bar, and what becomes of an author's work. */
export const flowWords = area("flow", english);
