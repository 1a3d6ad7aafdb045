import { flagAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { choiceInput } from "./choice.tsx";
import { emailInput } from "./email.tsx";
import type { InputKind } from "./input-kind.ts";
import { textInput } from "./text.tsx";
import { urlInput } from "./url.tsx";

/** Inputs that come with the page. One input kind = one file. */
const common: ReadonlyMap<string, InputKind> = new Map([
  ["text input", textInput],
  ["choice input", choiceInput],
  ["email input", emailInput],
  ["url input", urlInput],
]);

/** Inputs that a browser loads when it meets them: `["date input", async () => (await import("./date.tsx")).dateInput]`. */
const rare: ReadonlyMap<string, () => Promise<InputKind>> = new Map([
  ["number input", async () => (await import("./number.tsx")).numberInput],
  ["date input", async () => (await import("./date.tsx")).dateInput],
  ["time input", async () => (await import("./time.tsx")).timeInput],
  ["phone number input", async () => (await import("./phone.tsx")).phoneInput],
  ["rating input", async () => (await import("./rating.tsx")).ratingInput],
  ["picture choice input", async () => (await import("./pictures.tsx")).pictureInput],
  ["cards", async () => (await import("./cards.tsx")).cardsInput],
  ["payment input", async () => (await import("./payment.tsx")).paymentInput],
  ["file input", async () => (await import("./files.tsx")).fileInput],
  ["text input with files", async () => (await import("./text-with-files.tsx")).textWithFilesInput],
]);

const loaded = new Map<string, InputKind>(common);

/** Loads the kind of this input, for `inputKind`. */
export async function loadInput(input: Input | undefined): Promise<void> {
  if (!input) return;
  const name = kindName(input);
  const load = rare.get(name);
  if (load && !loaded.has(name)) loaded.set(name, await load());
}

/** The loaded kind of an input. One that this release does not know is asked as a text. */
export function inputKind(input: Input): InputKind {
  return loaded.get(kindName(input)) ?? textInput;
}

/** A text that files or a voice clip may come with is a kind of its own: few pages need its script. */
function kindName(input: Input): string {
  const takesFiles = ["attachments", "audioClip"].some((name) => flagAt(input, "options", name, "isEnabled") === true);
  return input.type === "text input" && takesFiles ? "text input with files" : input.type;
}
