import { choiceInput } from "./choice.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { readChosen } from "./parts/read-chosen.ts";

/** A choice in which several buttons have the same text. */
export const choiceAlikeInput: InputKind = { ...choiceInput, read: readChosen };
