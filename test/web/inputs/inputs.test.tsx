/** @jsxImportSource preact */
import { describe, expect, test } from "bun:test";
import { getCountries, getCountryCallingCode, getExampleNumber, isSupportedCountry } from "libphonenumber-js";
import examples from "libphonenumber-js/examples.mobile.json";
import { isValidElement, options } from "preact";
import { renderToString } from "preact-render-to-string";
import type { FlowDocument } from "../../../src/core/interpreter/flow.ts";
import { InputForm } from "../../../src/web/components/InputForm.tsx";
import { phoneCountries } from "../../../src/web/components/inputs/countries/names.ts";
import { inputKind, loadInput } from "../../../src/web/components/inputs/index.ts";
import { textAt } from "../../../src/web/conversation/read.ts";
import type { Input } from "../../../src/web/conversation/step.ts";
import "../../../src/web/conversation/rare-words.ts";
import { wordsOf } from "../../../src/web/conversation/words.ts";
import { converse } from "../../support/conversation.ts";
import { askingFlow, inputs, named } from "./flows.ts";

const english = wordsOf({ systemMessages: {} });
const place = { action: "/bot", key: "k", sessionId: null, prefilled: "{}" };

type Shown = {
  readonly draft?: string;
  readonly error?: string;
  readonly isPrefilled?: boolean;
  readonly language?: string;
  readonly asked?: boolean;
};

async function drawn(
  input: Input,
  { draft, error, isPrefilled = false, language = "en", asked = true }: Shown = {},
): Promise<string> {
  await loadInput(input);
  const questionId = asked ? "question" : undefined;
  const words = wordsOf({ systemMessages: {} }, { language });
  return renderToString(<InputForm {...{ input, words, isPrefilled, place, error, draft, questionId }} round={0} />);
}

async function read(input: Input, values: Readonly<Record<string, string | readonly string[]>>): Promise<unknown> {
  await loadInput(input);
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) for (const one of [value].flat()) form.append(name, one);
  return inputKind(input).read(form, input, english);
}

/** Returns the keys of each list that is rendered for an input. */
async function drawnKeys(input: Input): Promise<unknown[][]> {
  const found: unknown[][] = [];
  const { vnode: before } = options;
  options.vnode = (node) => {
    before?.(node);
    const { children } = node.props;
    const lists = [children, ...[children].flat()].filter((one): one is unknown[] => Array.isArray(one));
    for (const list of lists) found.push(list.flatMap((one) => (isValidElement(one) && one.key ? [one.key] : [])));
  };
  try {
    await drawn(input);
  } finally {
    Object.assign(options, { vnode: before });
  }
  return found.filter((keys) => keys.length > 0);
}

const said = (message: object | null) => ({ kind: "said", message });

describe("every input", () => {
  for (const [name, input] of Object.entries(inputs)) {
    test(`the input ${name} is labelled by the question and described by the error`, async () => {
      const html = await drawn(input, { error: "Not so." });

      expect(html).toContain(name === "payment" ? `${input.id}-payment` : "question");
      expect(html).toContain(`${input.id}-error`);
      expect(html).toContain(`<p class="typebot-input-error-message" id="${input.id}-error" role="alert"`);
    });

    test(`the input ${name} has its own label if there is no question`, async () => {
      const html = await drawn(input, { asked: false });

      expect(html).not.toContain("question");
      expect(html).toMatch(/aria-label=|<label|>Continue</);
    });
  }
});

describe("initial values", () => {
  test("a date field starts with the stored value, parsed in the block's format", async () => {
    const format = named("date", "date input", { format: "yyyy.MM.dd" });
    const words = named("date", "date input", { format: "MMMM d, yyyy" });

    expect(await drawn(inputs.date, { draft: "31/05/2026" })).toContain('value="2026-05-31"');
    expect(await drawn(inputs.moment, { draft: "31/05/2026 09:30" })).toContain('value="2026-05-31T09:30"');
    expect(await drawn(inputs.range, { draft: "31/05/2026 to 02/06/2026" })).toContain('value="2026-06-02"');
    expect(await drawn(format, { draft: "2026.05.31" })).toContain('value="2026-05-31"');
    expect(await drawn(words, { draft: "May 31, 2026" })).not.toContain('value="2026');
  });

  test("a time field starts with the stored value", async () => {
    expect(await drawn(inputs.time, { draft: "14:30" })).toContain('value="14:30"');
    expect(await drawn(inputs.time, { draft: "02:30 PM" })).toContain('value="14:30"');
    expect(await drawn(inputs.time, { draft: "12:05 AM" })).toContain('value="00:05"');
  });

  test("a stored rating is selected", async () => {
    expect(await drawn(inputs.rating, { draft: "4" })).toMatch(
      /<input[^>]*value="4"[^>]*checked|checked[^>]*value="4"/,
    );
    // If the rating must be corrected, the keyboard starts at the chosen rating, not at the first.
    expect((await drawn(inputs.rating, { draft: "4" })).match(/data-focus/g)).toHaveLength(1);
  });

  test("a variable's value prefills its field only if the bot enables prefilling", async () => {
    const input = { ...inputs.time, prefilledValue: "14:30" };

    expect(await drawn(input)).not.toContain("14:30");
    expect(await drawn(input, { isPrefilled: true })).toContain("14:30");
  });

  test("stored files stay in the form", async () => {
    const html = await drawn(inputs.file, { draft: "https://example.com/a.png, https://example.com/b.png" });

    expect(html).toContain('<input type="hidden" name="file" value="https://example.com/b.png"');
  });
});

describe("numbers", () => {
  test("a number that is too large for JavaScript is refused", async () => {
    const number = named("number", "number input");
    const wrong = async (text: string, input = number) => Object(await read(input, { text })).error;

    expect(await wrong("1e400")).toBe("Please enter 1e+308 or less.");
    expect(await wrong(`-${"9".repeat(400)}`)).toBe("Please enter -1e+308 or more.");
    expect(await wrong("1e400", named("few", "number input", { max: 12_000 }))).toBe("Please enter 12,000 or less.");
    expect(await read(number, { text: "1e+308" })).toEqual(said({ type: "text", text: "1e+308" }));
  });
});

describe("dates", () => {
  test("a date picker gets the input's limits, with a time if the input has one", async () => {
    const moment = named("moment", "date input", { hasTime: true, min: "2026-01-01", max: "2026-12-31" });

    expect(await drawn(inputs.date)).toContain('min="2026-01-01" max="2026-12-31"');
    expect(await drawn(moment)).toContain('min="2026-01-01T00:00" max="2026-12-31T23:59"');
    expect(await drawn(named("date", "date input", { min: "soon" }))).not.toContain("min=");
  });

  test("a date without a time is refused if the input asks for both", async () => {
    expect(await read(inputs.moment, { from: "2026-05-31" })).toMatchObject({ kind: "wrong", draft: "2026-05-31" });
    expect(await read(inputs.moment, { from: "2026-05-31T09:30" })).toMatchObject({ kind: "said" });
  });

  test("a date in another format than the picker's is parsed by the service", async () => {
    expect(await read(inputs.date, { from: "tomorrow" })).toEqual(said({ type: "text", text: "tomorrow" }));
  });
});

describe("phone numbers", () => {
  test("the page offers exactly the countries that the service accepts", () => {
    const known = getCountries().map((code) => ({
      code: String(code),
      callingCode: String(getCountryCallingCode(code)),
    }));

    expect([...phoneCountries]).toEqual(known.sort((a, b) => (a.code < b.code ? -1 : 1)));
  });

  test("phone numbers in each country's format become the stored form", async () => {
    const input = named("phone", "phone number input");
    const flow: FlowDocument = JSON.parse(JSON.stringify(askingFlow(input)));
    const wrong: unknown[] = [];
    for (const { code } of phoneCountries) {
      const example = isSupportedCountry(code) ? getExampleNumber(code, examples) : undefined;
      const sent = await read(input, { country: code, text: example?.formatNational() ?? "" });
      const say = textAt(sent, "message", "text") ?? null;
      const [, answered] = converse(flow, { turns: [{ expect: {} }, { say, expect: {} }] });
      if (answered?.answers[0] !== example?.number) wrong.push([code, say, answered?.answers]);
    }

    expect(wrong).toEqual([]);
  });

  test("countries have their names in the bot's language", async () => {
    expect(await drawn(inputs.phone, { language: "de" })).toContain("Frankreich (+33)");
    expect(await drawn(inputs.phone)).toMatch(/<option[^>]*selected[^>]*value="FR"|value="FR"[^>]*selected/);
  });
});

describe("ratings", () => {
  test("a rating scale is described by the labels at its ends", async () => {
    const html = await drawn(inputs.rating);

    expect(html).toContain('role="radiogroup"');
    expect(html).toContain('aria-describedby="rating-left rating-right"');
  });

  test("rating icons have accessible names and send the rating with one click", async () => {
    const html = await drawn(inputs.stars);

    expect(html).toContain('<button type="submit"');
    expect(html).toContain('aria-label="3 of 5"');
  });

  test("an author's SVG icon is shown as a picture, so that its scripts do not run", async () => {
    const customIcon = { isEnabled: true, svg: "<svg><script>alert(1)</script></svg>" };
    const html = await drawn(named("stars", "rating input", { buttonType: "Icons", customIcon }));

    expect(html).toContain('src="data:image/svg+xml,%3Csvg');
    expect(html).not.toContain("<script");
  });

  test("a scale that is too long is shown as a field", async () => {
    const input = named("long", "rating input", { length: 1_000_000_000 });

    expect(await drawn(input)).toContain('inputMode="numeric"'.toLowerCase());
    expect(await read(input, { text: "5000" })).toEqual(said({ type: "text", text: "5000" }));
  });
});

describe("items with equal ids, as in real flows", () => {
  const items = ["One", "Other"].map((title) => ({
    ...{ id: "twice", title, content: title },
    paths: [
      { id: "path", text: "Buy" },
      { id: "path", text: "Look" },
    ],
  }));
  for (const type of ["choice input", "picture choice input", "cards"])
    for (const isMultipleChoice of [false, true])
      test(`each item has a unique key: ${type} with ${isMultipleChoice ? "several choices" : "one choice"}`, async () => {
        const lists = await drawnKeys(named("asked", type, { isMultipleChoice }, { items }));

        expect(lists.some((keys) => keys.length === 2)).toBe(true);
        for (const keys of lists) expect(new Set(keys).size).toBe(keys.length);
      });
});

describe("pictures and cards", () => {
  test("a title labels its picture, and a picture without a title has a description", async () => {
    const html = await drawn(inputs.pictures);

    expect(html).toMatch(/ alt(="")? decoding/);
    expect(html).toContain('alt="Picture 3"');
  });

  test("one picture is answered with its value, or otherwise its id", async () => {
    expect(await read(inputs.pictures, { choice: "dog" })).toEqual(
      said({ type: "text", text: "canine", metadata: { replyId: "dog" } }),
    );
    expect(await read(inputs.pictures, { choice: "cat" })).toEqual(
      said({ type: "text", text: "cat", metadata: { replyId: "cat" } }),
    );
  });

  test("several pictures are answered with value, title or address", async () => {
    const sent = await read(inputs.several, { choice: ["cat2", "dog2", "fox2"] });

    expect(sent).toMatchObject({ message: { text: expect.stringMatching(/^Cat, canine, data:image/) } });
  });

  test("a card is answered with its button, or otherwise with its title", async () => {
    const card = { id: "c", title: "Tea", imageUrl: "https://example.com/tea.png", paths: [{ id: "p", text: "Buy" }] };
    const drawnCard = { ...card, id: "d", imageUrl: "<svg></svg>", paths: [{ id: "q" }] };
    const plain = { id: "e", title: "Plain" };
    const input = named("cards", "cards", {}, { items: [card, drawnCard, plain] });

    expect(await read(input, { choice: "p" })).toEqual(
      said({
        ...{ type: "text", text: "p", metadata: { replyId: "p" } },
        attachedFileUrls: ["https://example.com/tea.png"],
      }),
    );
    expect(await read(input, { choice: "q" })).toEqual(said({ type: "text", text: "q", metadata: { replyId: "q" } }));
    expect(await read(input, { choice: "Plain" })).toEqual(said({ type: "text", text: "Plain" }));
  });
});

describe("files", () => {
  const a = "https://example.com/a.png";

  test("the answer consists of the files' addresses", async () => {
    expect(await read(inputs.file, { file: [a, "https://example.com/b.png"] })).toEqual(
      said({
        ...{ type: "text", text: `${a}, https://example.com/b.png` },
        attachedFileUrls: [a, "https://example.com/b.png"],
      }),
    );
  });

  test("skipping sends no text if no file is required", async () => {
    expect(await read(inputs.optional, { skip: "1" })).toEqual(said(null));
    expect(await read(inputs.file, { skip: "1" })).toEqual({ kind: "wrong", error: "Please choose a file." });
  });

  test("the author's text is on the drop area, without its markup", async () => {
    const labels = { placeholder: "<strong>Click</strong> here<br>  &amp; drop <script>alert(1)</script>" };
    const html = await drawn(named("file", "file input", { labels }));

    expect(html).toContain("Click here\n&amp; drop alert(1)");
    expect(html).not.toContain("<script");
  });

  test("the file chooser offers the allowed file types", async () => {
    expect(await drawn(inputs.file)).toContain('accept=".txt,image/*"');
  });

  test("a voice message replaces a text, or is sent together with a text", async () => {
    const input = named("voice", "text input", { audioClip: { isEnabled: true } });
    const audio = "https://example.com/voice.webm";

    expect(await read(input, { text: "", audio })).toEqual(said({ type: "audio", url: audio }));
    expect(await read(input, { text: "Hear", audio })).toEqual(
      said({ type: "text", text: "Hear", attachedFileUrls: [audio] }),
    );
    expect(await read(input, { text: "" })).toEqual({ kind: "wrong", error: "Please fill this in." });
  });

  test("a text input without settings for files accepts no files", async () => {
    expect(await read(named("plain", "text input"), { text: "Hi", file: a })).toEqual(
      said({ type: "text", text: "Hi" }),
    );
  });
});
