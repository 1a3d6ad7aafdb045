import type { FakePerson } from "../telegram.ts";

/** A messenger as it appears on a person's phone. */
export type Screen = {
  read(person: FakePerson): Shown;
  write(person: FakePerson, text: string): Promise<void>;
  press(person: FakePerson, messageId: string, button: PhoneButton): Promise<void>;
};

/** The current content of a chat on the phone. */
export type Shown = {
  readonly messages: readonly PhoneMessage[];
  readonly isWriting: boolean;
  /** The text that the bot is writing. Empty while the bot thinks. */
  readonly draft?: string;
  /** A text that is shown above the chat for a short time. `number` distinguishes consecutive notices. */
  readonly notice?: { readonly number: number; readonly text: string };
};

export type PhoneMessage = {
  readonly id: string;
  readonly isMine: boolean;
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly media?: { readonly kind: MediaKind; readonly url: string };
  /** The buttons below the message, by row. */
  readonly buttons: readonly (readonly PhoneButton[])[];
};

export type MediaKind = "image" | "video" | "audio" | "file";

/** A styled range of a text, in UTF-16 units. */
export type Mark = { readonly type: string; readonly offset: number; readonly length: number; readonly url?: string };

export type PhoneButton = {
  readonly title: string;
  /** The data that is sent to the bot. A button without data opens a URL or shares the person's phone number. */
  readonly data?: string;
  readonly url?: string;
  readonly sharesNumber?: boolean;
};

/** A message of a person, and the number of the bot's messages before it. */
type Written = { readonly id: string; readonly text: string; readonly after: number };

/** Creates a diary that inserts each person's messages between the bot's messages. */
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
