import { limits } from "../../../limits/index.ts";
import type { JsonObject } from "../../interpreter/flow.ts";
import type { Act, ProviderMessage, RenderContext, Rendered } from "../channel.ts";
import { joined, type MarkedText, plainText, spanned } from "../marked-text.ts";
import type { Card, Choices, Item, Loss, Piece, Question } from "../pieces.ts";
import { shortened, splitText } from "../split.ts";
import { chunked, inRows, shownTitles } from "../titles.ts";
import { capabilities } from "./capabilities.ts";
import { textBody } from "./entities.ts";

/** The maximum number of pictures that are sent as separate messages of one question. */
const mostPictures = 10;
/**
 * The maximum number of values of a rating that are shown as buttons. To answer a longer scale, the contact types the
 * value.
 */
const longestScale = 11;
const scaleColumns = 5;

type Page = ReturnType<typeof createPage>;
type Button = { readonly title: string; readonly act: Act };

/** Converts a piece to Telegram messages. */
export function render(piece: Piece, context: RenderContext): Rendered {
  const page = createPage(context);
  switch (piece.kind) {
    case "text":
      page.say(piece.text);
      break;
    case "media":
      page.send({
        method: mediaMethods[piece.media],
        mediaKey: mediaKeys[piece.media],
        body: { [mediaKeys[piece.media]]: piece.url, ...page.opening(piece.link) },
      });
      break;
    case "link":
      page.send({ method: "sendMessage", body: { text: piece.url, ...page.opening(piece.url) } });
      break;
    case "question":
      ask(piece, page, context);
      break;
    case "lost":
      page.lose(piece.loss);
      break;
    case "wait":
  }
  return page.read();
}

const mediaKeys = { image: "photo", video: "video", audio: "audio" } as const;
const mediaMethods = { image: "sendPhoto", video: "sendVideo", audio: "sendAudio" } as const;

function createPage({ texts, token }: RenderContext) {
  const messages: ProviderMessage[] = [];
  const acts = new Map<string, Act>();
  const losses = new Set<Loss>();
  const buttonOf = ({ title, act }: Button): JsonObject => {
    const data = token(acts.size);
    acts.set(data, act);
    return { text: shortened(title, capabilities.buttons.title + 2), callback_data: data };
  };
  const keyboard = (rows: readonly (readonly Button[])[]): JsonObject =>
    rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows.map((row) => row.map(buttonOf)) } };

  return {
    send(message: ProviderMessage): void {
      messages.push(message);
    },
    /**
     * Sends a text, with buttons below its last part. Telegram requires a text above buttons, so a blank text becomes a
     * dash.
     */
    say(given: MarkedText, below: JsonObject = {}): void {
      const isBlank = given.text.trim() === "";
      if (isBlank && Object.keys(below).length === 0) return;
      const text = isBlank ? plainText("―") : given;
      const { parts, isCut } = splitText(text, { room: capabilities.text, most: limits.channels.textParts });
      if (isCut) losses.add("text_cut");
      for (const [index, part] of parts.entries()) {
        const isLast = index === parts.length - 1;
        messages.push({ method: "sendMessage", body: { ...textBody(part, "text"), ...(isLast && below) } });
      }
    },
    /** Sends a picture with a caption, or only the text if there is no picture. */
    show(image: string | undefined, words: MarkedText, below: JsonObject): void {
      if (image === undefined) {
        this.say(words, below);
        return;
      }
      const { parts, isCut } = splitText(words, { room: capabilities.caption, most: 1 });
      if (isCut) losses.add("text_cut");
      const caption = parts[0] === undefined ? {} : textBody(parts[0], "caption");
      messages.push({ method: "sendPhoto", mediaKey: "photo", body: { photo: image, ...caption, ...below } });
    },
    keyboard,
    /** Returns the markup of a button that opens an address. */
    opening(url: string | undefined, title: string | null = texts.open): JsonObject {
      if (url === undefined || title === null) return {};
      return { reply_markup: { inline_keyboard: [[{ text: shortened(title, capabilities.buttons.title), url }]] } };
    },
    /** Returns titles that fit on buttons. */
    titles(titles: readonly string[]): string[] {
      if (titles.some((title) => title.trim().length > capabilities.buttons.title)) losses.add("title_cut");
      return shownTitles(titles, capabilities.buttons.title);
    },
    lose(loss: Loss): void {
      losses.add(loss);
    },
    read: (): Rendered => ({ messages, acts, losses: [...losses] }),
  };
}

function ask({ ask: asked, body, isAlone }: Question, page: Page, context: RenderContext): void {
  const { texts } = context;
  const heading = body ?? plainText(texts.choose ?? "―");
  switch (asked.kind) {
    case "open":
      askOpenly(asked, { body, isAlone }, page);
      break;
    case "choice":
      page.say(heading, choiceKeyboard(asked, page, context));
      break;
    case "pictures":
      askWithPictures(asked, { body, heading }, page, context);
      break;
    case "cards":
      if (body) page.say(body);
      for (const card of asked.cards) showCard(card, page);
      break;
    case "rating":
      askForRating(asked, heading, page);
      break;
    case "phone":
      page.say(heading, phoneKeyboard(context));
      break;
    case "date": {
      const example = texts.date === null && !isAlone ? "" : asked.example;
      const hint = `${texts.date ?? ""} ${example}`.trim();
      page.say(joined([body ?? plainText(""), plainText(hint)]));
      break;
    }
    case "file": {
      const skip = asked.skip === undefined ? null : asked.skip || texts.skip;
      const words = body ?? plainText(texts.file ?? (skip === null ? "" : (texts.choose ?? "―")));
      page.say(words, skip === null ? {} : page.keyboard([[{ title: skip, act: { kind: "skip" } }]]));
      break;
    }
    case "payment": {
      const label = texts.pay?.replaceAll("{{amount}}", asked.amount) ?? null;
      // Without a button, the amount and the address of the payment page are shown as text.
      if (asked.url === undefined || label === null)
        page.say(joined([body ?? plainText(""), plainText(asked.amount), plainText(asked.url ?? "")]));
      else page.say(heading, page.opening(asked.url, label));
      break;
    }
  }
}

function askOpenly(
  { placeholder, suggestions }: { readonly placeholder?: string; readonly suggestions: readonly string[] },
  { body, isAlone }: { readonly body: MarkedText | undefined; readonly isAlone: boolean },
  page: Page,
): void {
  const words = body ?? plainText(isAlone ? (placeholder ?? "") : "");
  const fitting = suggestions.filter((text) => text.length <= capabilities.buttons.title).slice(0, 3);
  const rows = inRows(fitting, (text) => text.length);
  const buttons = rows.map((row) => row.map((text): Button => ({ title: text, act: { kind: "reply", text } })));
  page.say(words, words.text === "" ? {} : page.keyboard(buttons));
}

/**
 * Returns the buttons of a choice. If several items can be chosen, a press marks or unmarks an item. Long lists are
 * divided into pages.
 */
function choiceKeyboard(
  { items, isSeveral, send }: Choices,
  page: Page,
  { state = { page: 0, chosen: [] }, texts }: RenderContext,
): JsonObject {
  const shown = items.slice(0, limits.channels.itemsShown);
  if (shown.length < items.length) page.lose("items_left_out");
  const titles = page.titles(shown.map(({ title }) => title));
  const buttons = shown.map(({ id }, index): Button => {
    const title = titles[index] ?? "";
    if (!isSeveral) return { title, act: { kind: "reply", text: id, replyId: id } };
    return { title: `${state.chosen.includes(id) ? "☑" : "☐"} ${title}`, act: { kind: "mark", itemId: id } };
  });
  const pages = chunked(buttons, capabilities.buttons.most);
  const turns: Button[] = [
    ...(state.page > 0 ? [{ title: texts.back ?? "‹", act: { kind: "page", page: state.page - 1 } } as const] : []),
    ...(state.page < pages.length - 1
      ? [{ title: texts.more ?? "›", act: { kind: "page", page: state.page + 1 } } as const]
      : []),
  ];
  const rows = inRows(pages[state.page] ?? [], ({ title }) => title.length);
  const sending: Button[] = isSeveral && shown.length > 0 ? [{ title: send, act: { kind: "send" } }] : [];
  return page.keyboard([...rows, turns, sending].filter((row) => row.length > 0));
}

function askWithPictures(
  asked: Choices,
  { body, heading }: { readonly body: MarkedText | undefined; readonly heading: MarkedText },
  page: Page,
  context: RenderContext,
): void {
  const { items, isSeveral } = asked;
  const isEachWithButton = !isSeveral && items.length <= mostPictures;
  const titles = page.titles(items.map(({ title }) => title));
  if (isEachWithButton && body) page.say(body);
  for (const [index, item] of items.slice(0, mostPictures).entries()) {
    const title = titles[index] ?? "";
    const choose: Button = {
      title: item.title.trim() === "" ? (context.texts.list ?? title) : title,
      act: { kind: "reply", text: item.id, replyId: item.id },
    };
    const words = isEachWithButton ? wordsOf(item) : joined([plainText(`${index + 1}. ${title}`), describedBy(item)]);
    page.show(
      item.image,
      words.text === "" ? plainText(title) : words,
      isEachWithButton ? page.keyboard([[choose]]) : {},
    );
  }
  if (!isEachWithButton) page.say(heading, choiceKeyboard(asked, page, context));
}

function showCard(card: Card, page: Page): void {
  const titles = page.titles(card.paths.map(({ title }) => title));
  const buttons = card.paths.map(
    ({ id }, index): Button => ({ title: titles[index] ?? "", act: { kind: "reply", text: id, replyId: id } }),
  );
  const alone: Button = { title: page.titles([card.title])[0] ?? "", act: { kind: "reply", text: card.title } };
  const rows = inRows(card.paths.length === 0 ? [alone] : buttons, ({ title }) => title.length);
  page.show(card.image, wordsOf(card), page.keyboard(rows));
}

/** Returns the title in bold, followed by the description. */
function wordsOf(item: { readonly title: string; readonly description?: string }): MarkedText {
  return joined([spanned("bold", item.title.trim()), describedBy(item)]);
}

function describedBy({ description = "" }: Pick<Item, "description">): MarkedText {
  return plainText(description);
}

function askForRating(
  {
    from,
    to,
    left,
    right,
  }: { readonly from: number; readonly to: number; readonly left: string; readonly right: string },
  heading: MarkedText,
  page: Page,
): void {
  const ends = [left && `${from} – ${left}`, right && `${to} – ${right}`].filter((words) => words !== "").join("\n");
  const words = joined([heading, plainText(ends)]);
  const length = to - from + 1;
  if (length > longestScale || length < 1) {
    page.say(joined([words, plainText(`${from} – ${to}`)]));
    return;
  }
  const figures = Array.from({ length }, (_, index) => String(from + index));
  const buttons = figures.map((text): Button => ({ title: text, act: { kind: "reply", text } }));
  page.say(words, page.keyboard(chunked(buttons, scaleColumns)));
}

/**
 * Returns the markup of a button that requests the phone number. The phone number can be requested only in a private
 * chat.
 */
function phoneKeyboard({ isGroup, texts }: RenderContext): JsonObject {
  if (isGroup || texts.phone === null) return {};
  const keyboard = [[{ text: texts.phone, request_contact: true }]];
  return { reply_markup: { keyboard, one_time_keyboard: true, resize_keyboard: true } };
}
