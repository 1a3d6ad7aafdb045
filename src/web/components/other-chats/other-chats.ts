import type { ComponentType } from "preact";
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";

/** An earlier chat in this browser. */
export type EarlierChat = {
  readonly sessionId: string;
  /** The start of the visitor's first message in the chat. */
  readonly words: string;
  /** The time of the visitor's first message. */
  readonly at: string;
};

/** The controls for other chats. They are loaded if the chat's bot offers them. */
export type OtherChats = {
  readonly View: ComponentType<OtherChatsProps>;
  /** Starts a new chat; undefined if the bot does not offer this. */
  readonly begin: (() => void) | undefined;
  /** Lists the earlier chats of this browser, newest first, without the current chat. */
  list(): readonly EarlierChat[];
  /** Adds the current chat to the list after the visitor's first message. */
  keep(entries: readonly Entry[]): void;
  /** Replaces the current chat with another chat. A chat that can no longer be continued is removed from the list. */
  open(chat: EarlierChat): Promise<void>;
};

/** The parts of a chat that the view needs. */
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
