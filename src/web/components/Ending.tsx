/** @jsxImportSource preact */
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import type { PageSettings } from "../conversation/settings.ts";
import type { ControlForm, ControlFormProps } from "./ControlForm.tsx";
import { loadTop } from "./header/load.ts";

type Props = ControlFormProps & {
  /** The author's sentence for the end; undefined: the page's default. */
  readonly message: string | undefined;
  /** Starts a new chat here; absent until a script has taken over. */
  readonly onStartAgain: (() => void) | undefined;
};

let Controls: typeof ControlForm | undefined;

/** Loads the features that some bots offer beside the answers, before these are rendered. */
export async function loadControls({ mayGoBack, maySaveTranscript }: PageSettings, theme: Theme): Promise<void> {
  const loading = loadTop(theme);
  if (mayGoBack || maySaveTranscript) {
    const [{ ControlForm }] = await Promise.all([import("./ControlForm.tsx"), import("../conversation/rare-words.ts")]);
    Controls = ControlForm;
  }
  await loading;
}

/**
 * The content after the last words: a button for going back to the last answer and, at the end of a chat, a quiet line
 * with the visitor's options. The line takes the focus, since no other element is left for it.
 */
export function Ending(props: Props) {
  const { isEnded, isAnswered, may, message, words, place, onStartAgain } = props;
  const startAgain = (event: MouseEvent): void => {
    if (!onStartAgain || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onStartAgain();
  };
  const control = { class: "quiet-button", onClick: startAgain, children: words.startAgain };
  return (
    <div class={`chat-ending ${isEnded ? "is-end" : ""}`}>
      {isEnded && (
        <p class="chat-note" tabIndex={-1} data-focus dir="auto">
          {message || words.over}
        </p>
      )}
      {Controls && <Controls {...props} />}
      {isEnded &&
        isAnswered &&
        may.mayStartAgain &&
        (place.action === "" ? <button type="button" {...control} /> : <a href={place.action} {...control} />)}
    </div>
  );
}
