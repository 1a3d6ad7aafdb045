import { isJsonObject, type JsonObject, textAt, valueAt } from "../../../src/core/interpreter/flow.ts";
import type { ShownMessage } from "../recorder.ts";
import type { FakePerson, FakeTelegram } from "../telegram.ts";
import {
  createDiary,
  type Mark,
  type MediaKind,
  type PhoneButton,
  type PhoneMessage,
  type Screen,
  type Shown,
} from "./screen.ts";

/** A typing indicator is shown for five seconds, a draft for thirty. */
const signMs = { sendChatAction: 5_000, sendMessageDraft: 30_000 } as const;

type Seen = { shown: number; signs: number; writingUntil: number; draft: string | undefined; draftUntil: number };

export function createTelegramScreen(telegram: FakeTelegram, now: () => number): Screen {
  const diary = createDiary();
  const seen = new Map<number, Seen>();
  const shownTo = ({ id }: FakePerson) => telegram.shown.filter(({ chat }) => chat === String(id));
  /**
   * Returns the typing indicator and the draft below the chat. A message removes both, and a draft replaces the
   * previous draft.
   */
  const signsTo = (person: FakePerson): Pick<Shown, "isWriting" | "draft"> => {
    const one = seen.get(person.id) ?? { shown: 0, signs: 0, writingUntil: 0, draft: undefined, draftUntil: 0 };
    seen.set(person.id, one);
    const signs = telegram.signs.filter(({ method, body }) => method in signMs && body["chat_id"] === person.id);
    const shown = shownTo(person).length;
    if (shown > one.shown) Object.assign(one, { writingUntil: 0, draftUntil: 0 });
    for (const { method, body } of signs.slice(one.signs)) {
      if (method === "sendChatAction") one.writingUntil = now() + signMs.sendChatAction;
      else Object.assign(one, { draft: textAt(body, "text") ?? "", draftUntil: now() + signMs.sendMessageDraft });
    }
    Object.assign(one, { shown, signs: signs.length });
    return {
      isWriting: one.writingUntil > now(),
      ...(one.draft !== undefined && one.draftUntil > now() && { draft: one.draft }),
    };
  };
  const tell = async (person: FakePerson, words: string, send: () => Promise<unknown>) => {
    diary.note(person, words, shownTo(person).length);
    await send();
  };
  return {
    read(person) {
      const notices = telegram.signs.filter(({ method, body }) => method === "answerCallbackQuery" && body["text"]);
      const notice = textAt(notices.at(-1)?.body, "text");
      return {
        messages: diary.among(person, shownTo(person).map(messageOf)),
        ...signsTo(person),
        ...(notice !== undefined && { notice: { number: notices.length, text: notice } }),
      };
    },
    write: (person, text) => tell(person, text, () => telegram.write(person, text)),
    async press(person, messageId, { title, data, sharesNumber }) {
      if (sharesNumber) {
        const contact = { phone_number: "4915112345678", first_name: person.firstName, user_id: person.id };
        await tell(person, "+49 151 12345678", () => telegram.write(person, "", { text: undefined, contact }));
      } else if (data === undefined) await tell(person, title, () => telegram.write(person, title));
      // Pressing a button adds no message to the chat.
      else await telegram.press(person, messageId, data);
    },
  };
}

const mediaKinds: Readonly<Record<string, MediaKind>> = {
  ...{ photo: "image", animation: "image", sticker: "image", video: "video" },
  ...{ audio: "audio", voice: "audio", document: "file" },
};

function messageOf({ id, body }: ShownMessage): PhoneMessage {
  const text = textAt(body, "text") ?? textAt(body, "caption") ?? "";
  const [kind, url] = Object.entries(mediaKinds).flatMap(([key, named]) => {
    const address = textAt(body, key);
    return address === undefined ? [] : [[named, address] as const];
  })[0] ?? [undefined, undefined];
  return {
    id,
    isMine: false,
    text,
    marks: [body["entities"], body["caption_entities"]].flatMap(marksIn),
    ...(kind !== undefined && url !== undefined && { media: { kind, url } }),
    buttons: buttonsIn(body["reply_markup"]),
  };
}

function marksIn(entities: unknown): Mark[] {
  return (Array.isArray(entities) ? entities : []).filter(isJsonObject).map((entity) => {
    const url = textAt(entity, "url");
    return {
      type: textAt(entity, "type") ?? "",
      offset: Number(entity["offset"]),
      length: Number(entity["length"]),
      ...(url !== undefined && { url }),
    };
  });
}

function buttonsIn(markup: unknown): PhoneButton[][] {
  const rows = valueAt(markup, "inline_keyboard") ?? valueAt(markup, "keyboard");
  return (Array.isArray(rows) ? rows : []).map((row) =>
    (Array.isArray(row) ? row.filter(isJsonObject) : []).map(buttonOf),
  );
}

function buttonOf(button: JsonObject): PhoneButton {
  const data = textAt(button, "callback_data");
  const url = textAt(button, "url");
  return {
    title: textAt(button, "text") ?? "",
    ...(data !== undefined && { data }),
    ...(url !== undefined && { url }),
    ...(button["request_contact"] === true && { sharesNumber: true }),
  };
}
