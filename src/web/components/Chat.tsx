/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { themeDefaults } from "../../core/interpreter/schemas/defaults.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { refusalText } from "../conversation/refusal.ts";
import type { PageSettings } from "../conversation/settings.ts";
import type { DynamicTheme } from "../conversation/step.ts";
import type { Conversation } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import type { Control } from "./ControlForm.tsx";
import { Ending } from "./Ending.tsx";
import { Header } from "./header/Header.tsx";
import { type FormPlace, InputForm } from "./InputForm.tsx";
import { Notice, type Notification } from "./Notice.tsx";
import { ProgressBar } from "./ProgressBar.tsx";
import { Dots, questionId, Transcript } from "./Transcript.tsx";
import { type Uploading, UploadingContext } from "./uploading.ts";

/** Everything that a chat shows at one moment. */
export type ViewState = Conversation & {
  /** The problem of the form, in the page's words. */
  readonly error?: string | undefined;
  readonly isTyping: boolean;
  /** The element beside the dots. */
  readonly beside?: ComponentChildren;
  readonly notice: Notification | undefined;
  readonly dynamicTheme: DynamicTheme | undefined;
  /** Upload progress of the open input's files. */
  readonly uploading?: Uploading | undefined;
};

type Props = {
  readonly state: ViewState;
  readonly title: string;
  readonly theme: Theme;
  readonly settings: PageSettings;
  readonly words: Words;
  readonly place: FormPlace;
  /** Sends the form; absent while no script has taken over. */
  readonly onSend?: ((form: FormData) => void) | undefined;
  readonly onControl?: ((control: Control) => void) | undefined;
  readonly onStartAgain?: (() => void) | undefined;
  /** Shown only where no script runs, such as a form to continue with. */
  readonly withoutScript?: ComponentChildren;
  /** Whether the chat is part of another site's page, which has its own main element and headings. */
  readonly isEmbedded?: boolean | undefined;
};

/** The whole chat: rendered by the server, hydrated by the browser. */
export function Chat(props: Props) {
  const { state, title, theme, settings, words, place, onSend, withoutScript, isEmbedded } = props;
  const { entries, input, dynamicTheme } = state;
  const { header } = theme.general ?? {};
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
      {theme.general?.progressBar?.isEnabled && (
        <ProgressBar percent={state.progress} label={words.progress} isEmbedded={isEmbedded} />
      )}
      {header?.isEnabled && (
        <Header
          {...{ header, title, isEmbedded, entries, isEnded, words }}
          avatar={host}
          mayStartAgain={settings.mayStartAgain}
          action={place.action}
          onStartAgain={props.onStartAgain}
        />
      )}
      <Main class="typebot-chat-view">
        {!isEmbedded && !header?.isEnabled && <h1 class="visually-hidden">{title}</h1>}
        <Transcript entries={entries} words={words} name={title} hostAvatar={host} guestAvatar={guest} />
        {/* The bot types: not while the page waits for a connection, which the notice says. */}
        {state.isTyping && !state.notice?.isError && <Dots avatar={host} {...state} />}
        {input && (
          <div class="typebot-input-container" key={`${input.id} ${entries.length}`}>
            <UploadingContext.Provider value={state.uploading}>
              <InputForm
                input={input}
                words={words}
                isPrefilled={settings.isInputPrefilled}
                place={place}
                error={state.error ?? (state.refusal && refusalText(state.refusal, { input, settings, words }))}
                draft={state.draft}
                questionId={questionId(entries)}
                onSend={onSend}
              />
            </UploadingContext.Provider>
          </div>
        )}
        {(isEnded || (input && isAnswered && settings.mayGoBack)) && (
          <Ending
            isEnded={isEnded}
            isAnswered={isAnswered}
            may={settings}
            message={theme.chat?.endMessage}
            words={words}
            place={place}
            onControl={props.onControl}
            onStartAgain={props.onStartAgain}
          />
        )}
        <Notice notice={state.notice} />
        {withoutScript}
        <div class="chat-end" />
      </Main>
      {settings.isBranded && <footer class="lite-badge">{words.madeWith}</footer>}
    </>
  );
}
