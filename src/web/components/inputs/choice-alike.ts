import { choiceInput } from "./choice.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { readChosen } from "./parts/read-chosen.ts";

/** Buttons, some of which have the same words. */
export const choiceAlikeInput: InputKind = { ...choiceInput, read: readChosen };
