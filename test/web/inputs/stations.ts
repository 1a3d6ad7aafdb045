import type { Page } from "playwright-core";
import { waitFor } from "../../support/wait.ts";
import { inputs, named } from "./flows.ts";

/** An input, the keys that answer it, and the answer as the visitor sees it. */
export type Station = {
  readonly block: { readonly id: string; readonly type: string };
  readonly answer: (page: Page) => Promise<void>;
  readonly shown: string;
  /**
   * Whether the focus stays in the field while the bot writes its answer, so that the visitor can type the next
   * message. Otherwise the focus is on Stop.
   */
  readonly keepsFocus?: true;
};

/**
 * How each kind of input is answered by keyboard only, by its name in `components/inputs/`. A new kind needs an entry
 * to be tested.
 */
export const stations: Readonly<Record<string, readonly Station[]>> = {
  "text input": [
    { ...by(named("name", "text input"), "Ana", keys("Enter")), keepsFocus: true },
    by(named("town", "text input"), "Rome", keys("Tab", "Enter")),
    { ...by(named("story", "text input", { isLong: true }), "One\nTwo", keys("Control+Enter")), keepsFocus: true },
  ],
  "choice input": [
    { block: choice("oneOf"), answer: keys("Tab", "Space"), shown: "Black" },
    {
      block: choice("someOf", { isMultipleChoice: true }),
      answer: keys("Space", "Tab", "Tab", "Space", "Enter"),
      shown: "Green, White",
    },
  ],
  "choice input, alike": [
    {
      block: named("alike", "choice input", {}, items("alike", "Black", "black")),
      answer: keys("Tab", "Space"),
      shown: "black",
    },
  ],
  "choice input with filter": [
    { block: choice("anyOf", { isSearchable: true }), answer: typed("whi", keys("Enter")), shown: "White" },
  ],
  "email input": [by(named("email", "email input"), "ana@example.com", keys("Enter"))],
  "url input": [{ ...by(named("url", "url input"), "example.org", keys("Enter")), shown: "https://example.org" }],
  "number input": [by(named("number", "number input"), "1.5", keys("Tab", "Enter"))],
  "date input": [
    { block: inputs.date, answer: typed("05312026", keys("Enter")), shown: "May 31, 2026" },
    {
      block: inputs.range,
      answer: typed("05312026", keys("Tab", "Tab"), typed("06022026", keys("Enter"))),
      shown: "May 31 – June 2, 2026",
    },
    { block: inputs.moment, answer: typed("053120260930AM", keys("Enter")), shown: "May 31, 2026 at 9:30 AM" },
  ],
  // The test address-input.test.ts selects suggestions by keys.
  "address input": [by(named("address", "address input"), "1 Main Street, Springfield", keys("Enter"))],
  "time input": [{ block: inputs.time, answer: typed("0230PM", keys("Enter")), shown: "2:30 PM" }],
  "phone number input": [
    { block: inputs.phone, answer: typed("06 12 34 56 78", keys("Enter")), shown: "+33612345678" },
  ],
  "rating input": [
    { block: inputs.rating, answer: keys("Space", "ArrowRight", "ArrowRight", "Enter"), shown: "3 of 5" },
    { block: inputs.stars, answer: keys("Tab", "Tab", "Tab", "Enter"), shown: "4 of 5" },
  ],
  "picture choice input": [
    { block: inputs.pictures, answer: keys("Tab", "Enter"), shown: "Dog" },
    { block: inputs.several, answer: typed("dog", keys("Enter", "Tab", "Tab", "Enter")), shown: "Dog" },
  ],
  "ranking input": [
    {
      block: named("ranking", "ranking input", {}, items("ranked", "Price", "Speed", "Calm")),
      // Price moves to the end, and its button keeps the focus.
      answer: keys("Tab", "Enter", "Enter", "Tab", "Enter"),
      shown: "1. Speed\n2. Calm\n3. Price",
    },
  ],
  "matrix input": [
    {
      block: named("matrix", "matrix input", {
        rows: [{ title: "Room" }, { title: "Food" }],
        columns: ["Bad", "Good"],
      }),
      answer: keys("Space", "ArrowRight", "Tab", "Space", "Tab", "Enter"),
      shown: "Room: Good\nFood: Bad",
    },
  ],
  // The answer of this input is a picture.
  "signature input": [{ ...by(named("signature", "signature input"), "Ana", keys("Enter")), shown: "" }],
  cards: [
    {
      block: inputs.cards,
      answer: keys(...Array.from({ length: 7 }, () => "Tab"), "Enter"),
      shown: "Mint tea",
    },
  ],
  "file input": [
    { block: inputs.file, answer: chosen("Space", keys("Tab", "Enter")), shown: "letter.txt" },
    { block: inputs.optional, answer: keys("Tab", "Enter"), shown: "Skipped" },
  ],
  "text input with files": [
    {
      block: inputs.attachments,
      answer: typed("Here it is", keys("Tab"), chosen("Space", keys("Tab", "Enter"))),
      shown: "letter.txtHere it is",
    },
  ],
  "text input, country": [
    {
      block: named("country", "text input", { isCountry: true }),
      answer: typed("cote d", keys("Enter", "Enter")),
      shown: "Côte d’Ivoire",
    },
  ],
  "text input, suggestions": [
    {
      block: named("suggestions", "text input", {
        followUps: { texts: ["What does it cost?", "How long does it take?"] },
      }),
      answer: keys("Shift+Tab", "Enter"),
      shown: "How long does it take?",
      keepsFocus: true,
    },
  ],
  "text input with files, suggestions": [
    {
      block: named("both", "text input", { attachments: { isEnabled: true }, followUps: { texts: ["Where is it?"] } }),
      answer: typed("By keys", keys("Enter")),
      shown: "By keys",
      keepsFocus: true,
    },
  ],
};

/** These inputs are tested in other files, which provide what the inputs require. */
export const walkedElsewhere: Readonly<Record<string, string>> = { "payment input": "test/web/payment-form.test.ts" };

type Answer = Station["answer"];

/** Returns an entry for a field whose answer is shown as typed. */
function by(block: Station["block"], text: string, ...then: readonly Answer[]): Station {
  return { block, answer: typed(text, ...then), shown: text };
}

function typed(text: string, ...then: readonly Answer[]): Answer {
  return async (page) => {
    await page.keyboard.type(text);
    for (const next of then) await next(page);
  };
}

function keys(...pressed: readonly string[]): Answer {
  return async (page) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
}

function chosen(key: string, ...then: readonly Answer[]): Answer {
  return async (page) => {
    // A busy browser opens the file chooser late, so a press that opened nothing is repeated.
    const chooser = await waitFor(
      async () => {
        const opening = page.waitForEvent("filechooser", { timeout: 2_000 }).catch(() => undefined);
        await page.keyboard.press(key);
        return await opening;
      },
      { what: "the file chooser" },
    );
    await chooser.setFiles([{ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") }]);
    await page.locator(".chosen-file").waitFor();
    for (const next of then) await next(page);
  };
}

function choice(id: string, options: object = {}) {
  return named(id, "choice input", options, items(id, "Green", "Black", "White"));
}

function items(id: string, ...contents: readonly string[]) {
  return { items: contents.map((content) => ({ id: `${id}${content}`, content })) };
}
