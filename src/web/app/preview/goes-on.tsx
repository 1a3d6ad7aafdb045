import { useRef, useState } from "preact/hooks";
import { isObject } from "../../conversation/read.ts";
import { ApiFailure } from "../api/index.ts";
import { announce, Button, FieldError, TextArea } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { previewWords } from "../words/preview.ts";
import type { FromOutside, Run } from "./run.ts";

/** What an author does where the chat waits for no visitor: lets the time be over, or calls it as another program would. */
export function GoesOn({ run }: { readonly run: Run }) {
  const words = useWords(previewWords);
  const element = useRef<HTMLDivElement>(null);
  const [body, setBody] = useState("{}");
  const [error, setError] = useState<string>();
  const isBusy = run.state.value !== "open";
  const waitsForTime = run.waitsForTime.value;
  const waitsForCall = run.waitsForCall.value;
  if (!waitsForTime && !waitsForCall) return null;
  const goOn = async (came: FromOutside) => {
    setError(undefined);
    // These controls may be gone after the step: what has happened is read next.
    const next = element.current?.closest<HTMLElement>(".preview-inspector");
    try {
      await run.goOn(came);
      announce(words.step(run.steps.value.at(-1)?.revision ?? 1));
      next?.focus();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(cause.message);
    }
  };
  return (
    <div class="preview-goes-on" ref={element}>
      {waitsForTime && (
        <Button
          label={words.passTime}
          size="s"
          icon="history"
          isDisabled={isBusy}
          onPress={() => void goOn({ kind: "time" })}
        />
      )}
      {waitsForCall && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const read = readBody(body);
            if (read) void goOn({ kind: "call", body: read });
            else setError(words.noObject);
          }}
        >
          <TextArea label={words.callBody} rows={2} value={body} onInput={setBody} attributes={{ dir: "ltr" }} />
          <Button label={words.sendCall} size="s" icon="send" type="submit" isDisabled={isBusy} />
        </form>
      )}
      <FieldError error={error} />
    </div>
  );
}

function readBody(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
