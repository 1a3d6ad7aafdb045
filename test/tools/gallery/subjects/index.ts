import type { Subject } from "../cell.ts";
import { mediaBubbles, textBubbles } from "./bubbles.ts";
import { chats } from "./chats.ts";
import { cardInputs, choiceInputs, pictureInputs } from "./choices.ts";
import { dateInputs, fieldInputs, textInputs } from "./fields.ts";
import { composers, fileInputs } from "./files.ts";
import { ratingInputs } from "./ratings.ts";

/** All subjects of the gallery. A test checks that every input and bubble has an entry. */
export const subjects: readonly Subject[] = [
  ...textBubbles,
  ...mediaBubbles,
  ...textInputs,
  ...fieldInputs,
  ...choiceInputs,
  ...ratingInputs,
  ...pictureInputs,
  ...cardInputs,
  ...dateInputs,
  ...fileInputs,
  ...composers,
  ...chats,
];
