import { limits } from "../../../limits/index.ts";
import type { JsonObject } from "../../interpreter/flow.ts";
import type { Act, ProviderMessage, RenderContext, Rendered } from "../channel.ts";
import type { MarkedText } from "../marked-text.ts";
import type { Ask, Item, Loss, Piece, Question } from "../pieces.ts";
import { splitText } from "../split.ts";
import { shownTitles } from "../titles.ts";
import { capabilities } from "./capabilities.ts";

/** Sends the piece itself to a custom service, with a token for each button. */
export function render(piece: Piece, context: RenderContext): Rendered {
  const acts = new Map<string, Act>();
  const losses: Loss[] = [];
  const tokenFor = (act: Act): string => {
    const token = context.token(acts.size);
    acts.set(token, act);
    return token;
  };
  const messages = bodiesOf(piece, tokenFor, (loss) => losses.push(loss));
  return { messages: messages.map((body): ProviderMessage => ({ method: "message", body })), acts, losses };
}

type TokenFor = (act: Act) => string;
type Lose = (loss: Loss) => void;

function bodiesOf(piece: Piece, tokenFor: TokenFor, lose: Lose): JsonObject[] {
  switch (piece.kind) {
    case "text":
      return textBodies(piece.text, lose);
    case "media":
      return [{ type: piece.media, url: piece.url, ...(piece.link !== undefined && { link: piece.link }) }];
    case "link":
      return [{ type: "link", url: piece.url }];
    case "question":
      return questionBodies(piece, tokenFor, lose);
    case "lost":
      lose(piece.loss);
      return [];
    case "wait":
      return [];
  }
}

function textBodies(text: MarkedText, lose: Lose): JsonObject[] {
  const { parts, isCut } = splitText(text, { room: capabilities.text, most: limits.channels.textParts });
  if (isCut) lose("text_cut");
  return parts.map((part) => ({ type: "text", ...textOf(part) }));
}

function textOf({ text, spans }: MarkedText): JsonObject {
  return { text, ...(spans.length > 0 && { spans }) };
}

function questionBodies({ body, ask }: Question, tokenFor: TokenFor, lose: Lose): JsonObject[] {
  const { parts, isCut } = splitText(body ?? { text: "", spans: [] }, {
    room: capabilities.text,
    most: limits.channels.textParts,
  });
  if (isCut) lose("text_cut");
  const last = parts.at(-1);
  return [
    ...parts.slice(0, -1).map((part) => ({ type: "text", ...textOf(part) })),
    { type: "question", ...(last && textOf(last)), asks: asks(ask, tokenFor, lose) },
  ];
}

function asks(ask: Ask, tokenFor: TokenFor, lose: Lose): JsonObject {
  switch (ask.kind) {
    case "choice":
    case "pictures": {
      const { isSeveral, send } = ask;
      const choices = choicesOf(ask.items, tokenFor, lose);
      return { kind: ask.kind, choices, ...(isSeveral && { isSeveral, send }) };
    }
    case "cards":
      return {
        kind: "cards",
        cards: ask.cards.map(({ paths, ...card }) => ({
          ...card,
          choices:
            paths.length > 0
              ? choicesOf(paths, tokenFor, lose)
              : [{ token: tokenFor({ kind: "reply", text: card.title }), title: card.title }],
        })),
      };
    case "file":
      return { kind: "file", ...(ask.skip !== undefined && { skip: tokenFor({ kind: "skip" }) }) };
    case "open":
    case "rating":
    case "phone":
    case "date":
    case "payment":
      return { ...ask };
  }
}

function choicesOf(items: readonly Item[], tokenFor: TokenFor, lose: Lose): JsonObject[] {
  const shown = items.slice(0, limits.channels.itemsShown);
  if (shown.length < items.length) lose("items_left_out");
  const titles = shownTitles(
    shown.map(({ title }) => title),
    capabilities.buttons.title,
  );
  return shown.map(({ id, description, image }, index) => ({
    token: tokenFor({ kind: "reply", text: id, replyId: id }),
    title: titles[index],
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
  }));
}
