import { isJsonObject, type JsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import type { Templating } from "../interpreter/rich-text/nodes.ts";
import { renderRichText } from "../interpreter/rich-text/render.ts";
import { joined, linkText, type MarkedText, markedText, plainText } from "./marked-text.ts";

/** A part of a bot's step in a form that is independent of the channel: a bubble, an action, or the final question. */
export type Piece =
  | { readonly kind: "text"; readonly text: MarkedText }
  | {
      readonly kind: "media";
      readonly media: "image" | "video" | "audio";
      readonly url: string;
      /** The URL that a press on the image, video or audio opens. */
      readonly link?: string;
    }
  /** A URL to open. */
  | { readonly kind: "link"; readonly url: string }
  /** A pause before the next piece, in seconds. */
  | { readonly kind: "wait"; readonly seconds: number }
  | Question
  /** A part that messengers cannot show. */
  | { readonly kind: "lost"; readonly loss: Loss; readonly what: string };

/** The reason why a channel shows less than the web page. */
export type Loss =
  | "browser_only"
  | "text_cut"
  | "title_cut"
  | "items_left_out"
  | "no_address"
  | "unsafe_address"
  | "unknown_message"
  | "unknown_input";

/**
 * The question at the end of a step. `body`: the text above the question in the same message. `isAlone`: whether the
 * step has no other output.
 */
export type Question = {
  readonly kind: "question";
  readonly body?: MarkedText;
  readonly isAlone: boolean;
  readonly ask: Ask;
};

export type Ask =
  /** A question without choices. The contact's next message is the reply. */
  | { readonly kind: "open"; readonly placeholder?: string; readonly suggestions: readonly string[] }
  | ({ readonly kind: "choice" } & Choices)
  | ({ readonly kind: "pictures" } & Choices)
  | { readonly kind: "cards"; readonly cards: readonly Card[] }
  | {
      readonly kind: "rating";
      readonly from: number;
      readonly to: number;
      readonly left: string;
      readonly right: string;
    }
  | { readonly kind: "phone" }
  | { readonly kind: "date"; readonly example: string }
  | { readonly kind: "file"; readonly skip?: string }
  | { readonly kind: "payment"; readonly amount: string; readonly url?: string };

export type Choices = {
  readonly items: readonly Item[];
  readonly isSeveral: boolean;
  /** The label of the button that sends the selected items. */
  readonly send: string;
};

export type Item = {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly image?: string;
};

export type Card = {
  readonly title: string;
  readonly description: string;
  readonly image?: string;
  readonly paths: readonly Item[];
};

export type StepOutput = {
  readonly messages: readonly unknown[];
  readonly clientSideActions: readonly unknown[];
  readonly input?: unknown;
};

/** Returns a replacement for an input type that only our own clients support. */
export type AskAsKnown = (input: JsonObject) => { readonly said?: string; readonly input: JsonObject } | undefined;

/**
 * Returns the function that converts a bubble of a type to the text of a transcript. Returns undefined for types that
 * transcripts omit.
 */
export type TranscriptOf = (type: string) => ((content: unknown) => string | undefined) | undefined;

/**
 * Returns the pieces of the given steps in order: bubbles, each followed by its actions, and the question of the last
 * step. Text directly before a question becomes the question's body. Text that renders as nothing visible is removed.
 */
export function piecesOf(
  steps: readonly StepOutput[],
  { asKnown, transcriptOf }: { readonly asKnown: AskAsKnown; readonly transcriptOf: TranscriptOf },
): Piece[] {
  const said = steps.flatMap((step) => saidIn(step, transcriptOf));
  const input = steps.at(-1)?.input;
  return isJsonObject(input) ? withQuestion(said, input, asKnown) : said;
}

function saidIn({ messages, clientSideActions }: StepOutput, transcriptOf: TranscriptOf): Piece[] {
  const ids = messages.map((message) => textAt(message, "id"));
  const placeOf = (action: unknown) => ids.lastIndexOf(textAt(action, "lastBubbleBlockId") ?? "");
  const actionsAt = (place: number) =>
    clientSideActions.filter((action) => placeOf(action) === place).flatMap(actionPieces);
  return [
    ...actionsAt(-1),
    ...messages.flatMap((message, index) => [...bubblePieces(message, transcriptOf), ...actionsAt(index)]),
  ];
}

function withQuestion(said: readonly Piece[], input: JsonObject, asKnown: AskAsKnown): Piece[] {
  const ask = askOf(input);
  if (ask === undefined) {
    const known = asKnown(input);
    if (known === undefined)
      return [...said, { kind: "lost", loss: "unknown_input", what: textAt(input, "type") ?? "" }];
    // Messengers have no input field that could show a placeholder, so the example answer becomes part of the text.
    const example = textAt(known.input, "options", "labels", "placeholder") ?? "";
    const words = known.said === undefined ? [] : textPieces(plainText(`${known.said}\n\n${example}`));
    return withQuestion([...said, ...words], known.input, () => undefined);
  }
  // Parts that are not shown do not separate a text from its question.
  const isAlone = said.every(({ kind }) => kind === "lost");
  const place = said.findLastIndex(({ kind }) => kind !== "lost");
  const last = said[place];
  if (last?.kind !== "text") return [...said, { kind: "question", isAlone, ask }];
  return [...said.toSpliced(place, 1), { kind: "question", body: last.text, isAlone, ask }];
}

function bubblePieces(message: unknown, transcriptOf: TranscriptOf): Piece[] {
  const content = valueAt(message, "content");
  const type = textAt(message, "type") ?? "";
  switch (type) {
    case "text":
      return textPieces(joined([shownText(content), sourcesOf(valueAt(content, "sources"))]));
    case "image":
      return mediaPieces("image", message);
    case "video":
      return mediaPieces("video", message);
    case "audio":
      return mediaPieces("audio", message);
    case "embed":
    case "custom-embed":
      return linkPieces(textAt(content, "url") ?? "", "Embed");
    default: {
      const transcript = transcriptOf(type);
      if (!transcript) return [{ kind: "lost", loss: "unknown_message", what: type }];
      return textPieces(plainText(transcript(content) ?? ""));
    }
  }
}

function textPieces(text: MarkedText): Piece[] {
  return text.text === "" ? [] : [{ kind: "text", text }];
}

/** A templating that changes nothing, because variables in the text are already replaced. */
const unchanged: Templating = { pieces: ({ text }) => [{ kind: "literal", text }], plain: (text) => text };

function shownText(content: unknown): MarkedText {
  const richText = valueAt(content, "richText");
  if (!Array.isArray(richText)) return plainText(textAt(content, "plainText") ?? "");
  return markedText(renderRichText(richText, unchanged));
}

function sourcesOf(sources: unknown): MarkedText {
  if (!Array.isArray(sources)) return plainText("");
  return joined(
    sources.map((source: unknown) => {
      const title = textAt(source, "title") ?? "";
      const url = textAt(source, "url");
      return url === undefined ? plainText(title) : linkText(title, url);
    }),
    " · ",
  );
}

function mediaPieces(media: "image" | "video" | "audio", message: unknown): Piece[] {
  const url = textAt(message, "content", "url") ?? "";
  if (url === "") return [{ kind: "lost", loss: "no_address", what: media }];
  if (media === "video" && (textAt(message, "content", "type") ?? "url") !== "url") {
    return linkPieces(withScheme(url), "Video");
  }
  if (!isWebAddress(url)) return [{ kind: "lost", loss: "unsafe_address", what: media }];
  const link = textAt(message, "content", "clickLink", "url");
  return [{ kind: "media", media, url, ...(link !== undefined && isWebAddress(link) && { link }) }];
}

/** Adds the scheme `https` to a URL without a web scheme, because player URLs have no scheme. */
function withScheme(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

function linkPieces(url: string, what: string): Piece[] {
  if (url === "") return [{ kind: "lost", loss: "no_address", what }];
  if (isWebAddress(url)) return [{ kind: "link", url }];
  const words = /^(?:mailto|tel|sms):(.+)$/i.exec(url)?.[1];
  return words === undefined ? [{ kind: "lost", loss: "unsafe_address", what }] : textPieces(plainText(words));
}

export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function actionPieces(action: unknown): Piece[] {
  const type = textAt(action, "type") ?? "";
  if (type === "redirect") return linkPieces(textAt(action, "redirect", "url") ?? "", "Redirect");
  // The chat waits for the webhook call, so nothing is shown.
  if (type === "listenForWebhook") return [];
  if (type !== "wait") return [{ kind: "lost", loss: "browser_only", what: type }];
  const seconds = Number(valueAt(action, "wait", "secondsToWaitFor"));
  return seconds > 0 ? [{ kind: "wait", seconds }] : [];
}

/** Returns the question for an input, or undefined if the input type is not supported. */
function askOf(input: JsonObject): Ask | undefined {
  const options = valueAt(input, "options");
  const label = (name: string) => textAt(options, "labels", name);
  const placeholder = label("placeholder");
  const open = { kind: "open", ...(placeholder !== undefined && { placeholder }), suggestions: [] } as const;
  switch (input["type"]) {
    case "text input":
      return { ...open, suggestions: textsIn(valueAt(options, "followUps")) };
    case "number input":
    case "email input":
    case "url input":
      return open;
    case "phone number input":
      return { kind: "phone" };
    case "date input":
    case "time input":
      return { kind: "date", example: textAt(options, "format") ?? "" };
    case "choice input":
      return { kind: "choice", ...choicesOf(input, (item) => textAt(item, "content") ?? "") };
    case "picture choice input":
      return { kind: "pictures", ...choicesOf(input, (item) => textAt(item, "title") ?? "") };
    case "cards":
      return { kind: "cards", cards: objectsIn(input["items"]).map(cardOf) };
    case "rating input":
      return {
        kind: "rating",
        from: numberAt(options, "startsAt") ?? 0,
        to: numberAt(options, "length") || 10,
        left: label("left") ?? "",
        right: label("right") ?? "",
      };
    case "file input":
      return { kind: "file", ...(valueAt(options, "isRequired") === false && { skip: label("skip")?.trim() ?? "" }) };
    case "payment input": {
      const url = textAt(input, "runtimeOptions", "pageUrl");
      const amount = textAt(input, "runtimeOptions", "amountLabel") ?? "";
      return { kind: "payment", amount, ...(url !== undefined && { url }) };
    }
    default:
      return undefined;
  }
}

function choicesOf(input: JsonObject, titleOf: (item: JsonObject) => string): Choices {
  const options = valueAt(input, "options");
  return {
    items: objectsIn(input["items"]).map((item) => itemOf(item, titleOf(item))),
    isSeveral: valueAt(options, "isMultipleChoice") === true,
    send: textAt(options, "buttonLabel")?.trim() || "Send",
  };
}

function itemOf(item: JsonObject, title: string): Item {
  const description = textAt(item, "description") ?? "";
  const image = textAt(item, "pictureSrc") ?? "";
  return {
    id: textAt(item, "id") ?? "",
    title,
    ...(description !== "" && { description }),
    ...(isWebAddress(image) && { image }),
  };
}

function cardOf(card: JsonObject): Card {
  const image = textAt(card, "imageUrl") ?? "";
  return {
    title: textAt(card, "title") ?? "",
    description: textAt(card, "description") ?? "",
    ...(isWebAddress(image) && { image }),
    paths: objectsIn(card["paths"]).map((path) => ({
      id: textAt(path, "id") ?? "",
      title: textAt(path, "text") ?? "",
    })),
  };
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string" && one.trim() !== "") : [];
}

function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : undefined;
}
