/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { refusalText } from "../../conversation/refusal.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Input } from "../../conversation/step.ts";
import type { Conversation } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";
import { type FormPlace, InputForm } from "../InputForm.tsx";
import { isFreeText, kindName } from "../inputs/index.ts";
import { StopContext } from "../inputs/parts/field.tsx";
import { questionId } from "../Transcript.tsx";
import { type Uploading, UploadingContext } from "../uploading.ts";

/** Everything that the dock shows at one moment. */
export type DockState = Conversation & {
  /** Why the form was not sent or not accepted. */
  readonly error?: string | undefined;
  readonly notice: Notification | undefined;
  /** The button that stops the current answer; undefined if no answer is being written. */
  readonly stop?: ComponentChildren;
  /** The upload progress of the files in the open input. */
  readonly uploading?: Uploading | undefined;
  /** The answered text input, while the bot answers. The visitor can already write the next message in it. */
  readonly early?: Input | undefined;
  /** Whether the message in the field is sent as soon as the bot has answered. */
  readonly isEarlySent?: boolean | undefined;
};

export type DockProps = {
  readonly state: DockState;
  readonly settings: PageSettings;
  readonly words: Words;
  readonly place: FormPlace;
  /** Sends the form. Absent until a script handles the form. */
  readonly onSend?: ((form: FormData) => void) | undefined;
  /** Cancels a message that would have been sent later. */
  readonly onKeep?: (() => void) | undefined;
  /** Content for pages without a script, such as a form to continue. */
  readonly withoutScript?: ComponentChildren;
  /** Content that floats above the dock. */
  readonly aboveDock?: ComponentChildren;
};

/**
 * The lower edge of a chat, which stays in place while the conversation scrolls. It contains a line about the chat
 * itself, and the visitor's controls for answers. A field for free text is kept from one question to the next, with its
 * focus and with text that is typed in the meantime.
 */
export function Dock(props: DockProps) {
  const { state, settings, words, place, onSend, withoutScript, aboveDock } = props;
  const { entries, stop, early } = state;
  const input = state.input ?? early;
  const isEarly = early !== undefined && !state.input;
  const key = input && (isFreeText(input) ? kindName(input) : `${input.id} ${entries.length}`);
  const round = entries.filter(({ kind }) => kind === "answer").length;
  const box = useTypedText({ key, isEarly, round });
  return (
    <div class="chat-dock">
      {aboveDock}
      <Notice notice={state.notice} />
      {input && (
        <div class="typebot-input-container" key={key} ref={box}>
          <UploadingContext.Provider value={state.uploading}>
            <StopContext.Provider value={stop}>
              <InputForm
                input={input}
                words={words}
                isPrefilled={settings.isInputPrefilled && !isEarly}
                place={place}
                error={state.error ?? (state.refusal && refusalText(state.refusal, { input, settings, words }))}
                draft={state.draft}
                questionId={questionId(entries)}
                round={round}
                onSend={onSend}
                onKeep={isEarly ? props.onKeep : undefined}
              />
            </StopContext.Provider>
          </UploadingContext.Provider>
          {state.isEarlySent && (
            <p class="field-hint" role="status">
              {words.sendsLater}
            </p>
          )}
        </div>
      )}
      {!input && stop}
      {withoutScript}
      {settings.isBranded && <footer class="lite-badge">{words.madeWith}</footer>}
    </div>
  );
}

type Shown = { readonly key: string | undefined; readonly isEarly: boolean; readonly round: number };

/**
 * Keeps text that the visitor has typed ahead. If another input comes first, the text is put into the next text field.
 */
function useTypedText({ key, isEarly, round }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef("");
  const lastRound = useRef(round);
  lastRound.current = round;
  useLayoutEffect(() => {
    const field = box.current?.querySelector<HTMLInputElement>(".text-input[name=text]");
    if (field && typed.current !== "") field.value ||= typed.current;
    if (field) typed.current = "";
    return () => {
      const isLeft = isEarly && lastRound.current === round && !field?.isConnected;
      if (isEarly) typed.current = isLeft ? (field?.value ?? "") : "";
    };
  }, [key, isEarly]);
  return box;
}

/** @jsxImportSource preact */
/** A message about the chat itself, such as a lost connection, an error or the chat's end. */
type Notification = {
  readonly text: string;
  readonly isError?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

/** The element is always rendered, because screen readers announce only text that is added to an existing element. */
function Notice({ notice }: { readonly notice: Notification | undefined }) {
  return (
    <div class="chat-notice-place" role="status">
      {notice && (
        <div class={`chat-notice ${notice.isError ? "is-error" : ""}`}>
          <p dir="auto">{notice.text}</p>
          {notice.action && (
            <button type="button" class="typebot-button secondary-button" onClick={notice.action.run}>
              {notice.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
