import type { FakePerson } from "../telegram.ts";

/** A messenger as the phone of a person has it. */
export type Screen = {
  read(person: FakePerson): Shown;
  write(person: FakePerson, text: string): Promise<void>;
  /** A press on a button of a message. */
  press(person: FakePerson, messageId: string, button: PhoneButton): Promise<void>;
};

/** A chat on the phone, at this moment. */
export type Shown = {
  readonly messages: readonly PhoneMessage[];
  readonly isWriting: boolean;
  /** Words of the bot that are no message yet; empty while it thinks. */
  readonly draft?: string;
  /** Words that appear above the chat for a moment; the number tells one from the next. */
  readonly notice?: { readonly number: number; readonly text: string };
};

export type PhoneMessage = {
  readonly id: string;
  readonly isMine: boolean;
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly media?: { readonly kind: MediaKind; readonly url: string };
  /** Below the message, row by row. */
  readonly buttons: readonly (readonly PhoneButton[])[];
};

export type MediaKind = "image" | "video" | "audio" | "file";

/** A run of a text in UTF-16 units that looks otherwise. */
export type Mark = { readonly type: string; readonly offset: number; readonly length: number; readonly url?: string };

export type PhoneButton = {
  readonly title: string;
  /** The bot gets it; a button without it opens an address, or shares the person's number. */
  readonly data?: string;
  readonly url?: string;
  readonly sharesNumber?: boolean;
};

/** The words of a person, and the number of the bot's messages above them. */
type Written = { readonly id: string; readonly text: string; readonly after: number };

/** The words of each person in their place among what the bot said. */
export function createDiary() {
  const written = new Map<number, Written[]>();
  let count = 0;
  return {
    note({ id }: FakePerson, text: string, after: number): void {
      count++;
      const own = written.get(id) ?? [];
      own.push({ id: `mine-${count}`, text, after });
      written.set(id, own);
    },
    among({ id }: FakePerson, said: readonly PhoneMessage[]): PhoneMessage[] {
      const own = written.get(id) ?? [];
      const mineAt = (index: number): PhoneMessage[] =>
        own
          .filter(({ after }) => after === index)
          .map(({ id: messageId, text }) => ({ id: messageId, isMine: true, text, marks: [], buttons: [] }));
      return [...said.flatMap((message, index) => [...mineAt(index), message]), ...mineAt(said.length)];
    },
  };
}
