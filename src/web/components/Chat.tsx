/** @jsxImportSource preact */
import { themeDefaults } from "../../core/interpreter/schemas/defaults.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import type { DynamicTheme } from "../conversation/step.ts";
import type { Control } from "./ControlForm.tsx";
import { Dock, type DockProps, type DockState } from "./dock/Dock.tsx";
import { Ending } from "./Ending.tsx";
import { topParts } from "./header/load.ts";
import type { MessageActs } from "./message-acts/acts.ts";
import type { OtherChats } from "./other-chats/other-chats.ts";
import { Dots, Transcript } from "./Transcript.tsx";

/** Everything that a chat shows at one moment. */
export type ViewState = DockState & {
  readonly isTyping: boolean;
  /** The actions on single messages, once they are loaded. */
  readonly acts?: MessageActs | undefined;
  /** The controls for a new chat and for earlier chats, once they are loaded. */
  readonly others?: OtherChats | undefined;
  readonly dynamicTheme: DynamicTheme | undefined;
};

type Props = DockProps & {
  readonly state: ViewState;
  readonly title: string;
  readonly theme: Theme;
  readonly onControl?: ((control: Control) => void) | undefined;
  readonly onStartAgain?: (() => void) | undefined;
  /** Whether the chat is part of another site's page, which has its own main element and headings. */
  readonly isEmbedded?: boolean | undefined;
};

/** The whole chat, which is rendered by the server and by the browser. */
export function Chat(props: Props) {
  const { state, title, theme, settings, words, place, isEmbedded } = props;
  const { entries, input, dynamicTheme } = state;
  const { header, welcome } = theme.general ?? {};
  const isEnded = state.isEnded && entries.length > 0;
  const isAnswered = entries.some(({ kind }) => kind === "answer");
  const Main = isEmbedded ? "section" : "main";
  const { hostAvatar = {}, guestAvatar = {} } = theme.chat ?? {};
  const host =
    (hostAvatar.isEnabled ?? themeDefaults.isHostAvatarShown)
      ? (dynamicTheme?.hostAvatarUrl ?? hostAvatar.url ?? "")
      : undefined;
  const guest =
    (guestAvatar.isEnabled ?? themeDefaults.isGuestAvatarShown)
      ? (dynamicTheme?.guestAvatarUrl ?? guestAvatar.url ?? "")
      : undefined;
  return (
    <>
      {topParts.ProgressBar && theme.general?.progressBar?.isEnabled && (
        <topParts.ProgressBar
          percent={state.progress}
          label={words.progress}
          isBanner={!isEmbedded && !header?.isEnabled}
        />
      )}
      {topParts.Header && header?.isEnabled && (
        <topParts.Header
          {...{ header, title, isEmbedded, entries, isEnded, words }}
          avatar={host}
          may={settings}
          action={place.action}
          onStartAgain={props.onStartAgain}
        />
      )}
      <Main class="typebot-chat-view">
        {/* Authors' style sheets reserve the space of their own bar in this element. */}
        <div class="flex">
          {!isEmbedded && !header?.isEnabled && <h1 class="visually-hidden">{title}</h1>}
          {topParts.Welcome && welcome?.isEnabled && (
            <topParts.Welcome welcome={welcome} name={header?.name || title} avatar={host} />
          )}
          <Transcript
            entries={entries}
            words={words}
            name={title}
            hostAvatar={host}
            guestAvatar={guest}
            acts={state.acts}
          />
          {/* The dots are hidden while the page waits for a connection, which the notice shows. */}
          {state.isTyping && !state.notice?.isError && <Dots avatar={host} {...state} />}
        </div>
        {(isEnded || (input && isAnswered && settings.mayGoBack && !state.acts?.edit)) && (
          <Ending
            isEnded={isEnded}
            isAnswered={isAnswered}
            hasActs={state.acts?.edit !== undefined}
            may={settings}
            message={theme.chat?.endMessage}
            words={words}
            place={place}
            onControl={props.onControl}
            onStartAgain={props.onStartAgain}
          />
        )}
        {state.others && <state.others.View {...props} />}
        <div class="chat-end" />
        <Dock {...props} />
      </Main>
    </>
  );
}
