/** @jsxImportSource preact */
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import type { PageSettings } from "../conversation/settings.ts";
import type { ControlForm, ControlFormProps } from "./ControlForm.tsx";
import { loadTop } from "./header/load.ts";

type Props = ControlFormProps & {
  /** The author's text for the end; undefined for the page's default text. */
  readonly message: string | undefined;
  /** Starts a new chat on this page. Undefined until a script handles the button. */
  readonly onStartAgain: (() => void) | undefined;
};

let Controls: typeof ControlForm | undefined;

/** Loads the controls and the parts above the transcript that this bot needs, before they are rendered. */
export async function loadControls({ mayGoBack, maySaveTranscript }: PageSettings, theme: Theme): Promise<void> {
  const loading = loadTop(theme);
  if (mayGoBack || maySaveTranscript) {
    const [{ ControlForm }] = await Promise.all([import("./ControlForm.tsx"), import("../conversation/rare-words.ts")]);
    Controls = ControlForm;
  }
  await loading;
}

/**
 * The content after the last message: the controls of `ControlForm` and, at the end of a chat, a closing text and a
 * button for a new chat. The closing text receives the focus in place of an input.
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
