import { expect, test } from "bun:test";
import type { Content } from "../../../src/core/channels/channel.ts";
import { toldBy } from "../../../src/core/channels/replies.ts";

const input = (type: string, options: object = {}) => ({ id: "x", type, options });
const photo = { kind: "media", media: "image", reference: "p" } as const;
const voice = { kind: "media", media: "voice", reference: "v" } as const;
const place = { kind: "location", latitude: 1.5, longitude: 2, name: "Café", address: "Road 1" } as const;
const card = { kind: "card", name: "Ada", phone: "+49170" } as const;
const said = (message: unknown) => ({ kind: "reply", message });
const file = (as: string, text = "") => ({ kind: "file", as, text });

test.each<[string, Content, unknown, unknown]>([
  ["a text to a question", { kind: "text", text: " Hi " }, input("text input"), said(" Hi ")],
  [
    "a command of the flow",
    { kind: "command", command: "help", payload: "" },
    undefined,
    said({ type: "command", command: "help" }),
  ],
  ["an unknown command", { kind: "command", command: "go", payload: "now" }, undefined, said("/go now")],
  ["a photo to a file input", photo, input("file input"), file("answer")],
  ["a photo to a signature", photo, input("signature input"), file("answer")],
  [
    "a photo to a text input with attachments",
    { ...photo, caption: "Me" },
    input("text input", { attachments: { isEnabled: true } }),
    file("attachment", "Me"),
  ],
  ["a photo with a caption to a question", { ...photo, caption: "Me" }, input("text input"), said("Me")],
  ["a photo to a question", photo, input("text input"), file("address")],
  ["a photo to a number input", photo, input("number input"), said("")],
  [
    "a voice message to a text input with audio clips",
    voice,
    input("text input", { audioClip: { isEnabled: true } }),
    file("clip"),
  ],
  ["a location", place, input("text input"), said("1.5, 2")],
  ["a location to a long question", place, input("text input", { isLong: true }), said("1.5, 2\nCafé\nRoad 1")],
  ["a contact card to a phone number input", card, input("phone number input"), said("+49170")],
  ["a contact card to another question", card, input("text input"), said("Ada, +49170")],
  ["a poll", { kind: "unsupported", what: "poll" }, input("text input"), { kind: "nothing" }],
])("a message is interpreted for the waiting input: %s", (_, content, waiting, told) => {
  expect<unknown>(toldBy(content, { input: waiting, commands: new Set(["help"]), titleCharacters: 64 })).toEqual(told);
});
