import { useRef, useState } from "preact/hooks";
import { ApiFailure, issuesOf } from "../api/index.ts";
import { useWords } from "../words/index.ts";

/**
 * Sends a small form: what has to be filled in is asked for first, a refusal is said beside the field that it is about, and while it is under way another press
 * does nothing.
 */
export function useSubmit() {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const underWay = useRef(false);
  const submit = async (required: Readonly<Record<string, string>>, send: () => Promise<void>): Promise<void> => {
    if (underWay.current) return;
    if (Object.values(required).some((value) => value.trim() === "")) {
      setError(words.required);
      return;
    }
    underWay.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await send();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(sentenceOf(cause, words.tooManyTries));
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, setError, submit };
}

/** What a refusal says to people: the first thing that is wrong with a field, else the whole sentence. */
export function sentenceOf(failure: ApiFailure, tooManyTries: (seconds: number) => string): string {
  if (failure.status === 429 && failure.retryAfter !== undefined) return tooManyTries(failure.retryAfter);
  return issuesOf(failure)[0]?.message ?? failure.message;
}
