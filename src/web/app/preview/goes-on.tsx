import { useId, useRef, useState } from "preact/hooks";
import { isObject } from "../../conversation/read.ts";
import { ApiFailure } from "../api/index.ts";
import { announce, Button, FieldError, IconButton, rememberFocus, TextArea } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import type { FromOutside, Run } from "./run.ts";

/**
 * The author's controls while the chat waits for a time or for another program's call: let the time run out, or send
 * the call.
 */
export function GoesOn({ run }: { readonly run: Run }) {
  const words = useWords(previewWords);
  const element = useRef<HTMLFormElement>(null);
  const [body, setBody] = useState("{}");
  const [hasBody, setHasBody] = useState(false);
  const [error, setError] = useState<string>();
  const bodyId = useId();
  const isBusy = run.state.value !== "open";
  const waitsForTime = run.waitsForTime.value;
  const waitsForCall = run.waitsForCall.value;
  if (!waitsForTime && !waitsForCall) return null;
  const goOn = async (came: FromOutside) => {
    setError(undefined);
    // These controls may disappear after the step, so the focus moves to the preview.
    const next = element.current?.closest<HTMLElement>(".preview-inspector") ?? null;
    const mayMoveTo = rememberFocus();
    try {
      await run.goOn(came);
      announce(words.step({ number: run.steps.value.at(-1)?.revision ?? 1 }));
      if (mayMoveTo(next)) next?.focus();
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setError(cause.message);
    }
  };
  const sendCall = () => {
    const read = readBody(body);
    if (read) void goOn({ kind: "call", body: read });
    else setError(words.noObject);
  };
  return (
    <form
      class="preview-goes-on"
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        if (waitsForCall) sendCall();
      }}
    >
      {/* Most calls have no body, so the field is hidden at first, which leaves more room for the steps above. */}
      {waitsForCall && hasBody && (
        <div id={bodyId}>
          <TextArea label={words.callBody} rows={2} value={body} onInput={setBody} attributes={{ dir: "ltr" }} />
        </div>
      )}
      <div class="preview-goes-on-acts">
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
          <>
            <Button label={words.sendCall} size="s" icon="send" type="submit" isDisabled={isBusy} />
            <IconButton
              icon="pencil"
              size="s"
              label={words.callBody}
              onPress={() => setHasBody(!hasBody)}
              attributes={{ "aria-expanded": String(hasBody), "aria-controls": hasBody ? bodyId : undefined }}
            />
          </>
        )}
      </div>
      <FieldError error={error} />
    </form>
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
