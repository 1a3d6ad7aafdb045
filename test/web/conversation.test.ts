import { describe, expect, test } from "bun:test";
import { typingMs } from "../../src/core/interpreter/schemas/typing.ts";
import { contrast, inkOn, rgbOf } from "../../src/core/theme/colors.ts";
import { shownText } from "../../src/web/components/Answer.tsx";
import { fileNameIn } from "../../src/web/components/file-names.ts";
import { loadInput } from "../../src/web/components/inputs/index.ts";
import { readBot } from "../../src/web/conversation/bot.ts";
import { fileProblem } from "../../src/web/conversation/files.ts";
import { safeFrame, safeLink, safeSource } from "../../src/web/conversation/links.ts";
import { readFromFrame } from "../../src/web/conversation/preview-protocol.ts";
import { at, numberAt, textAt } from "../../src/web/conversation/read.ts";
import { readStep } from "../../src/web/conversation/step.ts";
import { mayBeDark, themeProperties } from "../../src/web/conversation/theme/theme.ts";
import { conversationOf } from "../../src/web/conversation/transcript.ts";
import { wordsOf } from "../../src/web/conversation/words.ts";

const text = (id: string, words: string) => ({
  id,
  type: "text",
  content: { type: "richText", richText: [{ type: "p", children: [{ text: words }] }] },
});
const said = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const standing = (...steps: object[]) => conversationOf(steps.map(readStep));

describe("the state of a chat", () => {
  const asked = { messages: [text("b1", "Mail?")], input: { id: "in", type: "email input" }, progress: 50 };

  test("the state of a chat contains its bubbles and answers in order", () => {
    const now = standing(asked, {
      reply: said("ANA@x.org"),
      lastMessageNewFormat: "ana@x.org",
      messages: [text("b2", "Thanks")],
      progress: 100,
    });

    expect(now.entries).toMatchObject([
      { kind: "bubble", bubble: { id: "b1" } },
      { kind: "answer", answer: { text: "ANA@x.org" } },
      { kind: "bubble", bubble: { id: "b2" } },
    ]);
    expect(now).toMatchObject({ input: undefined, isEnded: true, progress: 100 });
  });

  test("the state of a chat contains a refused answer as a draft", () => {
    const now = standing(asked, { ...asked, reply: said("nonsense"), messages: [text("in", "Not valid.")] });

    expect(now.entries).toHaveLength(1);
    expect(now).toMatchObject({ refusal: "Not valid.", draft: "nonsense", input: { id: "in" } });
  });

  test("the state of a chat shows typed dates as they were parsed", async () => {
    await loadInput({ id: "in", type: "date input" });
    const range = { messages: [], input: { id: "in", type: "date input", options: { isRange: true, hasTime: true } } };
    const shown = (reply: string, stored?: string) => {
      const now = standing(range, {
        reply: said(reply),
        ...(stored && { lastMessageNewFormat: stored }),
        messages: [],
      });
      const [entry] = now.entries;
      const text = entry?.kind === "answer" ? shownText(entry.answer, wordsOf({ systemMessages: {} })) : "";
      return text.replaceAll(/\s+/g, " ");
    };

    expect(shown("2027-03-02T10:00 to 03/01/2027, 09:00 AM", "03/01/2027 09:00 to 02/03/2027 10:00")).toBe(
      "03/01/2027 09:00 to 02/03/2027 10:00",
    );
    expect(shown("2027-03-02T10:00 to 2027-03-01T09:00", "01/03/2027 09:00 to 02/03/2027 10:00")).toBe(
      "March 1, 2027 at 9:00 AM – March 2, 2027 at 10:00 AM",
    );
    expect(shown("tomorrow to 2027-03-01T09:00")).toBe("tomorrow to 2027-03-01T09:00");
  });

  test("the state of a chat contains the names of files from the service", () => {
    const asked = { messages: [], input: { id: "in", type: "file input" } };
    const url = "https://chat.example.com/api/files/0123456789abcdefghjkmnpqrs.pdf";
    const now = standing(asked, { reply: said(url), files: [{ url, name: "My letter.pdf" }], messages: [] });
    const [entry] = now.entries;
    const names = entry?.kind === "answer" ? entry.answer.fileNames : undefined;

    expect(fileNameIn(url, wordsOf({ systemMessages: {} }), names)).toBe("My letter.pdf");
    expect(fileNameIn(url, wordsOf({ systemMessages: {} }))).toBe("File (PDF)");
  });

  test("the state of a chat shows the label of a clicked button, not its value", () => {
    const items = [{ id: "i1", content: "Blue", value: "b" }];
    const choice = { messages: [], input: { id: "in", type: "choice input", items } };

    const now = standing(choice, { reply: said("b", { replyId: "i1" }), messages: [] });

    expect(now.entries).toMatchObject([{ kind: "answer", answer: { text: "Blue" } }]);
  });

  test("the state of a chat omits commands and browser reports", () => {
    const waits = { messages: [], clientSideActions: [{ type: "setVariable", expectsDedicatedReply: true }] };

    const now = standing(
      waits,
      { ...asked, reply: said("42") },
      { reply: { type: "command", command: "x" }, messages: [] },
    );

    expect(now.entries.map(({ kind }) => kind)).toEqual(["bubble"]);
  });

  test.each([
    [{ messages: [], clientSideActions: [{ type: "wait", expectsDedicatedReply: true }] }, "wait"],
    [{ messages: [], clientSideActions: [{ type: "listenForWebhook", expectsDedicatedReply: true }] }, "webhook"],
    [{ messages: [{ id: "e", type: "embed", content: { waitForEvent: { isEnabled: true } } }] }, "embed"],
    [{ messages: [{ id: "e", type: "embed", content: {} }] }, undefined],
  ] as const)("the state of a chat reports the event for which a step waits, if any: %j", (step, pause) => {
    expect({ pause: standing(step).pause }).toEqual({ pause });
    expect(standing(step).isEnded).toBe(pause === undefined);
  });
});

describe("addresses in a chat", () => {
  test.each([
    ["https://a.example/x", "https://a.example/x"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["tel:+41", "tel:+41"],
    ["a.example/x", "https://a.example/x"],
    ["javascript:alert(1)", undefined],
    [" JaVaScript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["", undefined],
    [7, undefined],
  ])("the safe link for %j is %j", (given, expected) => {
    expect(safeLink(given)).toBe(expected);
  });

  test.each([
    ["https://a.example/x.png", "https://a.example/x.png"],
    ["data:image/png;base64,AA", "data:image/png;base64,AA"],
    ["data:text/html,x", undefined],
    ["javascript:x", undefined],
    ["mailto:a@b.c", undefined],
  ])("the safe picture address for %j is %j", (given, expected) => {
    expect(safeSource(given)).toBe(expected);
  });

  test.each([
    ["https://a.example/x", "https://a.example/x"],
    ["http://a.example/x", "http://a.example/x"],
    ["a.example", "https://a.example"],
    ["data:image/png;base64,AA", "data:image/png;base64,AA"],
    ["data:image/svg+xml,x", undefined],
    ["data:text/html,x", undefined],
    ["blob:https://a.example/1", undefined],
    ["javascript:x", undefined],
  ])("the safe frame address for %j is %j", (given, expected) => {
    expect(safeFrame(given)).toBe(expected);
  });
});

describe("the custom properties of a theme", () => {
  test("the custom properties of a theme include those that custom CSS uses", () => {
    const properties = themeProperties({
      general: { background: { type: "Color", content: "#102030" } },
      chat: {
        hostBubbles: {
          backgroundColor: "#fff",
          color: "#111111",
          opacity: 0.5,
          border: { roundeness: "custom", customRoundeness: 9 },
        },
        buttons: { shadow: "none", border: { thickness: 2, color: "#0000ff" } },
      },
    });

    expect(Object.fromEntries([...properties].filter(([name]) => name.startsWith("--typebot-")))).toEqual({
      "--typebot-container-bg-color": "#102030",
      "--typebot-host-bubble-bg-rgb": "255, 255, 255",
      "--typebot-host-bubble-color": "#111111",
      "--typebot-host-bubble-opacity": "0.5",
      "--typebot-host-bubble-border-radius": "9px",
      "--typebot-button-box-shadow": "none",
      "--typebot-button-border-width": "2px",
      "--typebot-button-border-rgb": "0, 0, 255",
    });
  });

  test("the custom properties of a theme cannot escape the enclosing rule", () => {
    const properties = themeProperties({
      general: { background: { type: "Color", content: "red;} body{display:none" } },
    });

    expect([...properties.values()].join()).not.toMatch(/[{};]/);
    const image = themeProperties({ general: { background: { type: "Image", content: 'https://a.example/");}x{' } } });
    expect(image.get("--typebot-container-bg-image")).toBe('url("https://a.example/%22);%7Dx%7B")');
  });

  test("a background without a text colour gets a readable text colour", () => {
    for (const color of ["#ffffff", "#ffcc00", "#ff5924", "#0042da", "#000000"]) {
      const [rgb, ink] = [rgbOf(color), rgbOf(inkOn(rgbOf(color) ?? [0, 0, 0]))];
      expect(rgb && ink && contrast(rgb, ink)).toBeGreaterThan(4.5);
    }
    expect(themeProperties({ chat: { buttons: { backgroundColor: "#ffcc00" } } }).get("--typebot-button-color")).toBe(
      "#1c1917",
    );
  });

  test("a theme with a colour or custom CSS does not support dark mode", () => {
    expect(mayBeDark({ chat: { hostAvatar: { isEnabled: false } } })).toBe(true);
    expect(mayBeDark({ chat: { buttons: { backgroundColor: "#123456" } } })).toBe(false);
    expect(mayBeDark({ customCss: "a{}" })).toBe(false);
  });
});

describe("the typing delay", () => {
  test.each([
    [{}, 300],
    [{ typingEmulation: { speed: 200 } }, 600],
    [{ typingEmulation: { speed: 1, maxDelay: 2 } }, 2_000],
    [{ typingEmulation: { enabled: false } }, 0],
  ])("the typing delay with %j is %d ms", (settings, ms) => {
    expect(typingMs("hello world", readBot({ settings }).settings.typing)).toBe(ms);
  });
});

test("a file larger than the maximum size by one byte is rejected", () => {
  const input = { id: "in", type: "file input", options: { sizeLimit: 1 } };
  const problemOf = (bytes: number) =>
    fileProblem(new File([new Uint8Array(bytes)], "a.pdf"), input, wordsOf({ systemMessages: {} }));

  expect(problemOf(1024 * 1024)).toBeUndefined();
  expect(problemOf(1024 * 1024 + 1)).toBe("a.pdf is larger than 1MB");
});

test("a message of a preview's frame is accepted only with a valid request key", () => {
  const key = crypto.randomUUID();

  expect(readFromFrame({ kind: "goBack", id: 1, key })).toEqual({ kind: "goBack", id: 1, key });
  for (const other of [undefined, "short", "a key\r\nwith-a-header: in it", "k".repeat(65)]) {
    expect(readFromFrame({ kind: "goBack", id: 1, key: other })).toBeUndefined();
  }
});

test("only own properties of JSON are read, not inherited properties", () => {
  const value: unknown = JSON.parse('{ "a": { "length": "2" }, "list": [1], "__proto__": { "b": 1 } }');

  expect([textAt(value, "a", "length"), numberAt(value, "a", "length"), at(value, "__proto__")]).toEqual([
    ...["2", 2],
    { b: 1 },
  ]);
  expect([at({}, "__proto__"), at({}, "constructor"), at(value, "list", "length"), at("text", "length")]).toEqual([
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test("a file is named by the last part of its address", () => {
  const words = wordsOf({ systemMessages: {} });
  const names = ["https://a.example/b/x%20y.pdf?z=1#q", "https://a.example/100%.pdf", `/f/${"a1".repeat(13)}.png`, "/"];

  expect(names.map((address) => fileNameIn(address, words))).toEqual([
    ...["x y.pdf", "100%.pdf", `${words.file} (PNG)`, words.file],
  ]);
});
