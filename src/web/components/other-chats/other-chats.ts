import type { ComponentType } from "preact";
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** A chat of this browser that was not the last one. */
export type EarlierChat = {
  readonly sessionId: string;
  /** The visitor's first words in it. */
  readonly words: string;
  /** When they were said. */
  readonly at: string;
};

/** The way from one chat to others: loaded where its bot offers it. */
export type OtherChats = {
  readonly View: ComponentType<OtherChatsProps>;
  /** Begins a new chat; undefined if the bot does not offer it at any time. */
  readonly begin: (() => void) | undefined;
  /** The chats of this browser, the newest first, without the present one. */
  list(): readonly EarlierChat[];
  /** Keeps the present chat among them from the visitor's first words on. */
  keep(entries: readonly Entry[]): void;
  /** Opens one in the place of the present chat; one that the service no longer has is forgotten. */
  open(chat: EarlierChat): Promise<void>;
};

/** The parts of a chat's state that are shown here. */
export type OtherChatsProps = {
  readonly state: {
    readonly others?: OtherChats | undefined;
    readonly entries: readonly Entry[];
    readonly isEnded: boolean;
  };
  readonly theme: Theme;
  readonly settings: Pick<PageSettings, "mayStartAgain">;
  readonly words: Words;
};
