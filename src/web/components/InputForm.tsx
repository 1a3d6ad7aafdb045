/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { textAt } from "../conversation/read.ts";
import type { Input } from "../conversation/step.ts";
import type { Words } from "../conversation/words.ts";
import { adoptStyle } from "./adopt-style.ts";
import { inputKind } from "./inputs/index.ts";
import { useLive } from "./inputs/parts/live.ts";
import { lastAnswerId } from "./Transcript.tsx";

/** The URL to which a form is posted, and the values of the form's hidden fields. */
export type FormPlace = {
  /** The URL of the page; empty in embedded chats and previews. */
  readonly action: string;
  /** The idempotency key of the form. */
  readonly key: string;
  readonly sessionId: string | null;
  /** The number of the last step on the page. */
  readonly revision?: number | undefined;
  /** Values for variables, as JSON, which are set when the chat starts. */
  readonly prefilled: string;
  /** The encrypted facts of the first step, which the page shows before the chat has started. */
  readonly shown?: string | undefined;
};

type Props = {
  readonly input: Input;
  readonly words: Words;
  /** Whether an input that is asked again contains its earlier answer. */
  readonly isPrefilled: boolean;
  readonly place: FormPlace;
  readonly error: string | undefined;
  readonly draft: string | undefined;
  readonly questionId: string | undefined;
  /** Increases with each answer. A form that stays for the next question is then emptied. */
  readonly round: number;
  /** Sends the form from the browser. Absent while the form is posted to the server. */
  readonly onSend?: ((form: FormData) => void) | undefined;
  /** Called when the visitor continues typing or presses Escape. Cancels a message that would have been sent later. */
  readonly onKeep?: (() => void) | undefined;
};

/** The open input. It is a plain form until the page's script handles it. */
export function InputForm({
  input,
  words,
  isPrefilled,
  place,
  error,
  draft,
  questionId,
  round,
  onSend,
  onKeep,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const isLive = useLive(onSend !== undefined);
  const { View, css, takesFiles } = inputKind(input);
  const errorId = error === undefined ? undefined : `${input.id}-error`;
  const initial = draft ?? (isPrefilled ? textAt(input, "prefilledValue") : undefined) ?? "";
  useLayoutEffect(() => adoptStyle(form.current, css), [css]);
  const lastRound = useRef(round);
  useLayoutEffect(() => {
    if (round > lastRound.current) form.current?.reset();
    lastRound.current = round;
  }, [round]);
  const submit = (event: SubmitEvent) => {
    if (!onSend || !form.current) return;
    event.preventDefault();
    onSend(new FormData(form.current, event.submitter));
  };
  return (
    <form
      ref={form}
      class="typebot-input-form"
      method="post"
      action={formAction(place)}
      encType={takesFiles ? "multipart/form-data" : undefined}
      noValidate={isLive}
      onSubmit={submit}
      onInput={onKeep}
      onKeyDown={({ key }) => key === "Escape" && onKeep?.()}
      data-input-type={input.type}
    >
      <HiddenFields place={place} blockId={input.id} />
      <View
        input={input}
        words={words}
        initial={initial}
        questionId={questionId}
        errorId={errorId}
        isLive={isLive}
        isEarly={!!onKeep}
      />
      {error !== undefined && (
        <p class="typebot-input-error-message" id={errorId} role="alert" dir="auto">
          {error}
        </p>
      )}
    </form>
  );
}

/**
 * A form with which a visitor continues without an answer. It is for pages without a script, which cannot wait for the
 * next step.
 */
export function ContinueForm({ place, label }: { readonly place: FormPlace; readonly label: string }) {
  return (
    <form class="typebot-input-form" method="post" action={formAction(place)}>
      <HiddenFields place={place} blockId="" />
      <button type="submit" class="typebot-button">
        {label}
      </button>
    </form>
  );
}

/** Returns the URL of a form. The resulting page is scrolled to the visitor's last answer. */
export function formAction({ action }: FormPlace): string {
  return `${action}#${lastAnswerId}`;
}

/** The hidden fields of every form on a page. */
export function HiddenFields({ place, blockId }: { readonly place: FormPlace; readonly blockId: string }) {
  return (
    <>
      <input type="hidden" name="key" value={place.key} />
      {place.sessionId === null ? (
        <input type="hidden" name="prefilled" value={place.prefilled} />
      ) : (
        <input type="hidden" name="session" value={place.sessionId} />
      )}
      {place.shown !== undefined && <input type="hidden" name="shown" value={place.shown} />}
      <input type="hidden" name="block" value={blockId} />
      {place.revision && <input type="hidden" name="revision" value={place.revision} />}
    </>
  );
}
