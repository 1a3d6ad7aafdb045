import { chosenText } from "../../../conversation/choices/chosen-text.ts";
import { flagAt, listAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import type { Read } from "./input-kind.ts";

/** Reads the pressed or checked items as a message, even if several items have the same text. */
export function readChosen(form: FormData, input: Input, words: Words): Read {
  const ids = form.getAll("choice").map(String);
  const items = listAt(input, "items");
  const isMultiple = flagAt(input, "options", "isMultipleChoice") === true;
  const text = chosenText(items, ids, isMultiple);
  if (text === undefined) return { kind: "wrong", error: words.chooseOne };
  return {
    kind: "said",
    message: { type: "text", text, ...(!isMultiple && { metadata: { replyId: ids[0] ?? "" } }) },
  };
}
