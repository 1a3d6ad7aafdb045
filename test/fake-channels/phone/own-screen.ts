import { isJsonObject, textAt, valueAt } from "../../../src/core/interpreter/flow.ts";
import type { ShownMessage } from "../recorder.ts";
import type { FakeWebhook } from "../webhook.ts";
import { createDiary, type Mark, type MediaKind, type PhoneButton, type PhoneMessage, type Screen } from "./screen.ts";

/** Creates the screen of a user's own app, which shows the messages of its connection. */
export function createOwnScreen(own: FakeWebhook): Screen {
  const diary = createDiary();
  const shownTo = (id: number) => own.shown.filter(({ chat }) => chat === String(id));
  const tell: Screen["write"] = async (person, text) => {
    diary.note(person, text, shownTo(person.id).length);
    await post(own, contactOf(person), { text });
  };
  return {
    read: (person) => ({ messages: diary.among(person, shownTo(person.id).map(messageOf)), isWriting: false }),
    write: tell,
    async press(person, _messageId, { title, data }) {
      if (data === undefined) return tell(person, title);
      diary.note(person, title, shownTo(person.id).length);
      return post(own, contactOf(person), { tap: data });
    },
  };
}

function contactOf({ id, firstName, language }: Parameters<Screen["read"]>[0]) {
  return { id: String(id), name: firstName, ...(language !== undefined && { language }) };
}

async function post(own: FakeWebhook, contact: object, message: object): Promise<void> {
  const status = await own.write({ ...contact }, { ...message });
  if (status !== 200)
    throw new Error(`The service answered ${status}: are address and secret those of the connection?`);
}

const mediaKinds: Readonly<Record<string, MediaKind>> = {
  image: "image",
  video: "video",
  audio: "audio",
  link: "file",
};

function messageOf({ id, method, text, body }: ShownMessage): PhoneMessage {
  const kind = mediaKinds[method];
  const url = textAt(body, "url");
  return {
    id,
    isMine: false,
    text: kind === undefined ? text : "",
    marks: marksIn(body["spans"]),
    ...(kind !== undefined && url !== undefined && { media: { kind, url } }),
    buttons: choicesIn(body["asks"]).map((button) => [button]),
  };
}

function marksIn(spans: unknown): Mark[] {
  return (Array.isArray(spans) ? spans : []).filter(isJsonObject).map((span) => {
    const url = textAt(span, "url");
    const place = { offset: Number(span["from"]), length: Number(span["length"]) };
    return { type: textAt(span, "kind") ?? "", ...place, ...(url !== undefined && { url }) };
  });
}

function choicesIn(asks: unknown): PhoneButton[] {
  const cards = valueAt(asks, "cards");
  const lists = [
    valueAt(asks, "choices"),
    ...(Array.isArray(cards) ? cards.map((card) => valueAt(card, "choices")) : []),
  ];
  const skip = textAt(asks, "skip");
  const choices = lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((choice) => ({
      title: textAt(choice, "title") ?? "",
      data: textAt(choice, "token") ?? "",
    }));
  return [...choices, ...(skip === undefined ? [] : [{ title: "Skip", data: skip }])];
}
