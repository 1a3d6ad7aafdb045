import { useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure, issuesOf } from "../api/index.ts";
import { toast } from "../ui/index.ts";
import { useWords, type Words, words } from "../words/index.ts";

/** Thrown by a form's `send` function to show an error at a field, for example before anything is sent. */
export class FieldProblem extends Error {
  override readonly name = "FieldProblem";
  readonly field: string;

  constructor(field: string, sentence: string) {
    super(sentence);
    this.field = field;
  }
}

type Refusal = {
  readonly sentence: string;
  /** The name of the field; undefined if the problem concerns the whole form. */
  readonly field: string | undefined;
};

/**
 * Returns the submit handler and the state of a small form. A missing required field is reported before anything is
 * sent. An error of the service that names a field is shown beside this field, which gets the focus. Presses during a
 * running request are ignored.
 */
export function useSubmit() {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const underWay = useRef(false);
  useEffect(() => {
    if (refusal) focusFirstInvalid();
  }, [refusal]);
  const submit = async (required: Readonly<Record<string, string>>, send: () => Promise<void>): Promise<void> => {
    if (underWay.current) return;
    const missing = Object.entries(required).find(([, value]) => value.trim() === "");
    if (missing) {
      setRefusal({ sentence: words.required, field: missing[0] });
      return;
    }
    underWay.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      await send();
    } catch (cause) {
      if (cause instanceof FieldProblem) setRefusal({ sentence: cause.message, field: cause.field });
      else if (cause instanceof ApiFailure) {
        setRefusal({ sentence: sentenceOf(cause, words.tooManyTries), field: fieldOf(cause) });
      } else throw cause;
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return {
    ...{ isBusy, error: refusal?.sentence, field: refusal?.field, submit },
    clear: () => setRefusal(undefined),
  };
}

/**
 * Returns the problem of a field by its name in the request body. Without a name, returns the problem of the whole
 * form.
 */
export type ErrorOf = (field?: string) => string | undefined;

/**
 * Returns the texts of a form, and a function that binds each text to its field: `<TextField label="Name"
 * {...field("name", errorOf)} />`.
 */
export function useTexts<Name extends string>(first: Readonly<Record<Name, string>>) {
  const [texts, setTexts] = useState(first);
  const field = (name: Name, errorOf?: ErrorOf) => ({
    value: texts[name],
    onInput: (text: string) => setTexts((now) => ({ ...now, [name]: text })),
    error: errorOf?.(name),
  });
  return { texts, field };
}

/**
 * Returns the error message of a failure: the time to wait after too many attempts, the first problem of a field, or
 * else the general message.
 */
export function sentenceOf(failure: ApiFailure, tooManyTries: Words["tooManyTries"]): string {
  if (failure.status === 429 && failure.retryAfter !== undefined) return tooManyTries({ seconds: failure.retryAfter });
  const [issue] = issuesOf(failure);
  return issue === undefined || issue.place !== undefined ? failure.message : asSentence(issue.message);
}

/** Shows a failure as a toast: `call(…).catch(refusedToast)`. */
export function refusedToast(cause: unknown): void {
  if (!(cause instanceof ApiFailure)) throw cause;
  toast(sentenceOf(cause, words.value.tooManyTries));
}

/**
 * Turns a sentence fragment from the service, such as "must be a URL", into a text with a capital letter and a full
 * stop.
 */
function asSentence(end: string): string {
  return `${end.charAt(0).toUpperCase()}${end.slice(1)}${/[.!?]$/.test(end) ? "" : "."}`;
}

/**
 * Returns the last part of the path of the first problem, for example `apiKey` for `data.apiKey`. Undefined if the
 * failure names no field.
 */
function fieldOf(failure: ApiFailure): string | undefined {
  return issuesOf(failure)[0]
    ?.path.replaceAll(/\[\d+\]/g, "")
    .split(".")
    .at(-1);
}

function focusFirstInvalid(): void {
  const place = document.querySelector("dialog[open]") ?? document;
  place.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
