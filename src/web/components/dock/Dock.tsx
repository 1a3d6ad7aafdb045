/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { refusalText } from "../../conversation/refusal.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Conversation } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";
import { type FormPlace, InputForm } from "../InputForm.tsx";
import { Notice, type Notification } from "../Notice.tsx";
import { questionId } from "../Transcript.tsx";
import { type Uploading, UploadingContext } from "../uploading.ts";

/** Everything that the dock shows at one moment. */
export type DockState = Conversation & {
  /** The problem of the form, in the page's words. */
  readonly error?: string | undefined;
  readonly notice: Notification | undefined;
  /** The button that stops the answer which is being written; undefined while there is none. */
  readonly stop?: ComponentChildren;
  /** Upload progress of the open input's files. */
  readonly uploading?: Uploading | undefined;
};

export type DockProps = {
  readonly state: DockState;
  readonly settings: PageSettings;
  readonly words: Words;
  readonly place: FormPlace;
  /** Sends the form; absent while no script has taken over. */
  readonly onSend?: ((form: FormData) => void) | undefined;
  /** Shown only where no script runs, such as a form to continue with. */
  readonly withoutScript?: ComponentChildren;
  /** Floats above the dock. */
  readonly aboveDock?: ComponentChildren;
};

/**
 * The lower edge of a chat, which stays there while what was said scrolls: a line about the chat itself, and all that the visitor
 * answers with.
 */
export function Dock({ state, settings, words, place, onSend, withoutScript, aboveDock }: DockProps) {
  const { entries, input, stop } = state;
  return (
    <div class="chat-dock">
      {aboveDock}
      <Notice notice={state.notice} />
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
      {stop}
      {withoutScript}
      {settings.isBranded && <footer class="lite-badge">{words.madeWith}</footer>}
    </div>
  );
}
