import type { ComponentType } from "preact";
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** An earlier chat of this browser. */
export type EarlierChat = {
  readonly sessionId: string;
  /** The visitor's first words in the chat. */
  readonly words: string;
  /** The time of these words. */
  readonly at: string;
};

/** The controls for other chats: loaded if the chat's bot offers them. */
export type OtherChats = {
  readonly View: ComponentType<OtherChatsProps>;
  /** Starts a new chat; undefined if the bot does not always offer this. */
  readonly begin: (() => void) | undefined;
  /** The chats of this browser, the newest first, without the present one. */
  list(): readonly EarlierChat[];
  /** Keeps the current chat among them from the visitor's first words on. */
  keep(entries: readonly Entry[]): void;
  /** Opens a chat in place of the current one; a chat that the service no longer has is forgotten. */
  open(chat: EarlierChat): Promise<void>;
};

/** The parts of a chat's state that this view shows. */
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
