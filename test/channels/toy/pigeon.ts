import { Type } from "@sinclair/typebox";
import { type ChannelEvent, defineChannel, type Rendered } from "../../../src/core/channels/channel.ts";
import type { Ask, Piece, Question } from "../../../src/core/channels/pieces.ts";
import { isSameSecret } from "../../../src/core/channels/secrets.ts";
import { commonSettings } from "../../../src/core/channels/settings.ts";
import { unreadable } from "../../../src/core/channels/unreadable.ts";
import { textAt } from "../../../src/core/interpreter/flow.ts";
import { titled } from "../../../src/core/interpreter/schemas/field-marks.ts";

const settings = Type.Object({
  loft: titled("Name of the loft", Type.String({ minLength: 1, maxLength: 50, description: "Where pigeons start." })),
  ...commonSettings,
});

const secrets = Type.Object({
  ring: titled("Ring of the pigeon", Type.String({ minLength: 8, maxLength: 50, description: "Tells ours." })),
});

const rate = { perSecond: 50, burst: 50 };

/** An invented messenger: the bodies of requests and responses are forms, and there are no buttons. */
export const pigeon = defineChannel({
  type: "pigeon",
  name: "Pigeon post",
  page: "channels.md",
  settings,
  secrets,
  madeSecrets: [],
  secretOf: () => "",
  server: "TELEGRAM_API_URL",
  capabilities: {
    text: { length: 500 },
    caption: { length: 500 },
    buttons: { most: 0, title: 50 },
    formatting: "none",
  },
  verify: ({ headers }, { ring }) => ({
    kind: isSameSecret(headers.get("x-ring") ?? "", ring) ? "accepted" : "refused",
  }),
  payloadIn: (body) => (body.includes("=") ? { value: Object.fromEntries(new URLSearchParams(body)) } : undefined),
  read: (payload) => [readOne(payload)],
  render: (piece): Rendered => ({
    messages: textsOf(piece).map((text) => ({ method: "fly", body: { text } })),
    acts: new Map(),
    losses: piece.kind === "lost" ? [piece.loss] : [],
  }),
  wordsOf: ({ body }) => ({ text: textAt(body, "text") ?? "", choices: [] }),
  call: ({ method, body }, { address, messageId }, connection) => ({
    method: "POST",
    path: `/${method}`,
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["X-Ring", connection.secrets.ring],
    ],
    body: new URLSearchParams({
      ...{ from: connection.settings.loft, to: address.value, id: messageId },
      text: textAt(body, "text") ?? "",
    }).toString(),
  }),
  readAnswer: ({ status, wasSent, body }) =>
    status === 200 ? { kind: "accepted", providerId: body } : wasSent ? { kind: "doubt" } : failure,
  signs: {},
  plans: {
    check: () => [],
    readCheck: (_answers, connection) => ({ display: connection.settings.loft, points: [] }),
    register: () => [],
    unregister: () => [],
    problemIn: () => undefined,
  },
  findMedia: (reference) => ({ kind: "address", url: reference }),
  pace: { connection: rate, contact: rate, group: rate },
});

const failure = { kind: "failed", class: "passing", code: "", detail: "It has not left" } as const;

function readOne(payload: unknown): ChannelEvent {
  const [id, from, text] = ["id", "from", "text"].map((name) => textAt(payload, name));
  if (id === undefined || from === undefined || text === undefined) return unreadable(payload, "It is no letter.", id);
  const contact = { kind: "person", addresses: [{ kind: "user", value: from }], name: from } as const;
  return { kind: "message", providerId: id, contact, content: { kind: "text", text } };
}

function textsOf(piece: Piece): string[] {
  switch (piece.kind) {
    case "text":
      return [piece.text.text];
    case "media":
    case "link":
      return [piece.url];
    case "question":
      return [questionText(piece)].filter((text) => text !== "");
    default:
      return [];
  }
}

/** Without buttons, the choices are a numbered list, and the contact answers with a number. */
function questionText({ body, ask }: Question): string {
  return [body?.text ?? "", ...titlesOf(ask).map((title, index) => `${index + 1}. ${title}`)].join("\n").trim();
}

function titlesOf(ask: Ask): readonly string[] {
  if (ask.kind === "cards") return ask.cards.map(({ title }) => title);
  return ask.kind === "choice" || ask.kind === "pictures" ? ask.items.map(({ title }) => title) : [];
}
