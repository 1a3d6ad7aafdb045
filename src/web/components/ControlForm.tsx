/** @jsxImportSource preact */
import type { PageSettings } from "../conversation/settings.ts";
import type { Words } from "../conversation/words.ts";
import { type FormPlace, formAction, HiddenFields } from "./InputForm.tsx";
import { useLive } from "./inputs/parts/live.ts";

/** Controls that few bots offer their visitors. */
export type Control = "goBack" | "saveTranscript";

export type ControlFormProps = {
  readonly isEnded: boolean;
  readonly isAnswered: boolean;
  /** Whether the visitor's last message has its own actions, including the button for going back to this message. */
  readonly hasActs: boolean;
  readonly may: Pick<PageSettings, "mayStartAgain" | "mayGoBack" | "maySaveTranscript">;
  readonly words: Words;
  readonly place: FormPlace;
  /** Undefined until a script handles the form. Without a script, the form is posted. */
  readonly onControl: ((control: Control) => void) | undefined;
};

/**
 * A button to go back to the last answer and, at the end of a chat, buttons to save and print the conversation. It is a
 * plain form until the page's script handles it.
 */
export function ControlForm(props: ControlFormProps) {
  const { isEnded, isAnswered, hasActs, may, words, place, onControl } = props;
  const isLive = useLive(onControl !== undefined);
  const mayGoBack = isAnswered && may.mayGoBack && !(hasActs && !isEnded);
  const maySave = isEnded && may.maySaveTranscript;
  const submit = (event: SubmitEvent): void => {
    if (!onControl) return;
    event.preventDefault();
    onControl(event.submitter?.getAttribute("value") === "goBack" ? "goBack" : "saveTranscript");
  };
  if (!mayGoBack && !maySave) return null;
  return (
    <form method="post" action={formAction(place)} noValidate onSubmit={submit}>
      <HiddenFields place={place} blockId="" />
      {mayGoBack && <ControlButton control="goBack" label={words.changeAnswer} />}
      {maySave && <ControlButton control="saveTranscript" label={words.saveTranscript} />}
      {/* An embedded chat has no print button, because it would print the surrounding page. */}
      {maySave && isLive && place.action !== "" && (
        <button type="button" class="quiet-button" onClick={() => print()}>
          {words.print}
        </button>
      )}
    </form>
  );
}

function ControlButton({ control, label }: { readonly control: Control; readonly label: string }) {
  return (
    <button type="submit" class="quiet-button" name="control" value={control}>
      {label}
    </button>
  );
}
