import { readAnswer } from "../../../../src/core/interpreter/gfm/read.ts";
import type { Subject } from "../cell.ts";
import { bubble, picture, rich, says } from "./make.ts";

/** A text with all elements that only answers of models contain. */
const modelAnswer = `Here is a **comparison** of the three plans, with what they cost and what they give you.

# Plans at a glance

| Plan | Price per month | Seats | Support | Storage | Notes about the plan |
|---|---:|:-:|---|---|---|
| Starter | €0 | 1 | Community | 1 GB | Good for *trying* it |
| Team | €29 | 10 | E-mail, within a day | 100 GB | Most people take this one |
| Enterprise | on request | unlimited | Phone, 24/7 | unlimited | SSO, audit log, SLA |

## How to install it

1. Install the package:
   \`\`\`sh
   npm install --save-dev @example/very-long-package-name @example/another-very-long-package-name
   \`\`\`
2. Write the configuration:
   - \`port\`: where it listens
   - \`host\`: which address

\`\`\`ts
export async function greet(name: string): Promise<string> {
  const response = await fetch(\`https://api.example.com/greetings/\${encodeURIComponent(name)}?locale=en\`);
  if (!response.ok) throw new Error("It failed");
  return response.text(); // a comment
}
\`\`\`

> A quotation of somebody who knew: *never trust a cache*.

Inline \`code\`, ~~struck~~, a [link to the docs](https://example.com), a bare https://www.example.org/a/very/long/path/that/goes/on/and/on/without/any/space
and a formula: $E = mc^2$, for $5 and $10.

$$\\int_0^1 x^2\\,dx = \\tfrac13$$

- [x] done task
- [ ] open task

---

A footnote[^1] and an emoji 👨‍👩‍👧.

[^1]: The *note*.`;

const paragraph = (text: string, marks: object = {}) => ({ type: "p", children: [{ text, ...marks }] });
const link = (text: string) => ({ type: "a", url: "https://example.com/terms", children: [{ text }] });

export const textBubbles: readonly Subject[] = [
  {
    name: "text",
    sheet: "text-bubbles",
    messages: [
      says("Good morning. How are you?"),
      says("There is a great deal to tell about our garden, so this takes more than one line, and one more."),
    ],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "rich text",
    sheet: "text-bubbles",
    messages: [
      rich([
        { type: "h1", children: [{ text: "Our garden" }] },
        paragraph("Opened in 1921, and never closed since."),
        { type: "h2", children: [{ text: "What grows here" }] },
        { type: "h3", children: [{ text: "In spring" }] },
        {
          type: "p",
          children: [
            { text: "Tulips are " },
            { text: "bold", bold: true },
            { text: ", daisies " },
            { text: "lean", italic: true },
            { text: ", roses are " },
            { text: "underlined", underline: true },
            { text: ", and weeds " },
            { text: "gone", strikethrough: true },
            { text: ". See the " },
            link("terms of the garden"),
            { text: "." },
          ],
        },
      ]),
    ],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "answer of a model",
    sheet: "text-bubbles",
    messages: [rich(readAnswer(modelAnswer))],
    states: ["idle"],
  },
  {
    name: "answer with sources",
    sheet: "text-bubbles",
    messages: [
      bubble("text", {
        type: "richText",
        richText: readAnswer("The garden opens at **nine** [S1], and closes at dusk [S2][S3]. Dogs may come [S1]."),
        sources: [
          { id: "S1", title: "Opening times and rules", url: "https://garden.example/times" },
          { id: "S2", title: "Handbook for gardeners, in its third and longest edition", place: "page 4" },
          { id: "S3", title: "Notes of the meeting", url: "https://garden.example/notes", place: "after the break" },
        ],
      }),
    ],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "lists, quote and code",
    sheet: "text-bubbles",
    messages: [
      rich([
        {
          type: "ul",
          children: [
            {
              type: "li",
              children: [{ text: "Tulips, in every colour that there is, and in two that there are not" }],
            },
            { type: "li", children: [{ text: "Daisies" }] },
          ],
        },
        {
          type: "ol",
          children: [
            { type: "li", children: [{ text: "Dig" }] },
            { type: "li", children: [{ text: "Sow, and water" }] },
          ],
        },
        { type: "blockquote", children: [{ text: "To plant a garden is to believe in tomorrow." }] },
        { type: "p", children: [{ text: "Run " }, { text: "npm start", code: true }, { text: " to open the gate:" }] },
        {
          type: "code_block",
          children: [{ text: "const gate = open();\nif (gate.isOpen) walkIn(visitor, { slowly: true });" }],
        },
      ]),
    ],
    states: ["idle"],
    isPaired: true,
  },
];

export const mediaBubbles: readonly Subject[] = [
  {
    name: "image",
    sheet: "media",
    messages: [says("Look:"), bubble("image", { url: picture("sea"), alt: "The sea behind the garden" })],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "image, tall",
    sheet: "media",
    messages: [bubble("image", { url: picture("tomato.tall") })],
    states: ["idle"],
  },
  {
    name: "image, linked",
    sheet: "media",
    messages: [
      bubble("image", { url: picture("meadow"), clickLink: { url: "https://example.com", alt: "Visit the meadow" } }),
    ],
    states: ["idle"],
  },
  {
    name: "image, broken",
    sheet: "media",
    messages: [says("Look:"), bubble("image", { url: picture("missing"), alt: "The sea behind the garden" })],
    states: ["idle"],
  },
  {
    name: "video",
    sheet: "media",
    messages: [
      bubble("video", { type: "url", url: "https://gallery.invalid/files/none.mp4", isAutoplayEnabled: false }),
    ],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "video, tall",
    sheet: "media",
    messages: [
      bubble("video", {
        type: "url",
        url: "https://gallery.invalid/files/none.mp4",
        aspectRatio: "9/16",
        isAutoplayEnabled: false,
      }),
    ],
    states: ["idle"],
  },
  {
    name: "audio",
    sheet: "media",
    messages: [
      says("Listen:"),
      bubble("audio", { url: "https://gallery.invalid/files/none.mp3", isAutoplayEnabled: false }),
    ],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "embed",
    sheet: "media",
    messages: [bubble("embed", { url: "https://gallery.invalid/files/page.html", height: 180 })],
    states: ["idle"],
    isPaired: true,
  },
  {
    name: "custom embed",
    sheet: "media",
    messages: [
      bubble("custom-embed", {
        initFunction: { content: "typebotElement.textContent = 'Filled by code of the author'" },
      }),
    ],
    states: ["idle"],
  },
];
