import english from "./en/on-card.json";
import { area } from "./language.ts";

/** The words of what comes over a card: its title and texts in their places, and the whole of a folded row. */
export const onCardWords = area("onCard", english);
