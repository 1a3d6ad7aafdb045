/** @jsxImportSource preact */
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addressesIn } from "../../../conversation/files.ts";
import { say } from "../../../conversation/rare-words.ts";
import { filledTextAt, flagAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import { UploadingContext } from "../../uploading.ts";
import { putInto, useFormReset } from "../parts/chosen-files.ts";
import { buttonLabel, nameOf, SendButton } from "../parts/field.tsx";
import type { FieldProps, InputKind } from "../parts/input-kind.ts";
import { hasPointer, useLive } from "../parts/live.ts";
import { richAnswer } from "../parts/RichAnswer.tsx";
import css from "./signature.css" with { type: "text" };
import { paint, pictureOf, pointAt, type Stroke, sheet } from "./strokes.ts";

/**
 * A signature, which is drawn or typed as a name in handwriting. Without scripts, the visitor uploads a picture of a
 * signature.
 */
export const signatureInput: InputKind = {
  ...richAnswer,
  css,
  takesFiles: true,
  View: Signature,
  read(form, input, words) {
    if (form.has("skip") && !isRequired(input)) return { kind: "said", message: null };
    const [address] = addressesIn(form);
    if (address === undefined) return { kind: "wrong", error: words.signFirst };
    return { kind: "said", message: { type: "text", text: address, attachedFileUrls: [address] } };
  },
};

function Signature(props: FieldProps) {
  const { input, words, questionId, errorId } = props;
  const isLive = useLive(props.isLive);
  const uploading = useContext(UploadingContext);
  const pad = useSignature();
  const id = `${input.id}-signature`;
  const label = (name: string): string | undefined => filledTextAt(input, "options", "labels", name);
  return (
    <fieldset class="signature" {...nameOf(questionId, words.signature)} aria-describedby={errorId}>
      {isLive ? (
        <>
          <input ref={pad.field} type="file" name="file" hidden />
          <div
            class="signature-sheet"
            inert={uploading !== undefined}
            tabIndex={-1}
            // Without a mouse, the sheet receives the focus, because an on-screen keyboard would cover the pad.
            data-focus={!hasPointer() || undefined}
          >
            <canvas
              ref={pad.canvas}
              class="signature-pad"
              width={sheet.width * sheet.dots}
              height={sheet.height * sheet.dots}
              role="img"
              aria-label={pad.name === "" ? words.signature : `${words.signature}: ${pad.name}`}
              {...pad.draws}
            />
            {pad.isEmpty && (
              <p class="signature-hint" aria-hidden="true" dir="auto">
                {words.drawSignature}
              </p>
            )}
          </div>
          <div class="typebot-input field-row signature-name">
            <input
              class="text-input"
              type="text"
              dir="auto"
              data-focus={hasPointer() || undefined}
              autoComplete="name"
              maxLength={120}
              placeholder={words.typeSignature}
              aria-label={words.typeSignature}
              aria-describedby={errorId}
              aria-invalid={errorId === undefined ? undefined : "true"}
              disabled={uploading !== undefined}
              value={pad.name}
              onInput={({ currentTarget }) => pad.write(currentTarget.value)}
            />
          </div>
        </>
      ) : (
        <div class="signature-file">
          <label for={id}>{words.chooseSignature}</label>
          <input
            id={id}
            class="plain-file"
            type="file"
            name="file"
            accept="image/png,image/jpeg"
            required={isRequired(input)}
            aria-describedby={errorId}
          />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {uploading && say(words, "uploading", { name: words.signature })}
      </p>
      <div class="signature-row">
        {!pad.isEmpty && !uploading && (
          <>
            {pad.name === "" && <SideButton label={words.undo} onClick={pad.undo} />}
            <SideButton label={label("clear") ?? words.clear} onClick={pad.clear} />
          </>
        )}
        {uploading && <SideButton label={words.cancel} onClick={uploading.cancel} />}
        {!uploading && !isRequired(input) && (
          <button type="submit" class="typebot-button secondary-button" name="skip" value="1" formNoValidate>
            {label("skip") ?? words.skip}
          </button>
        )}
        <SendButton label={buttonLabel(input) ?? words.sign} words={words} />
      </div>
    </fieldset>
  );
}

/** Stores the strokes or the name on the sheet, and puts a picture of them into the form. */
function useSignature() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const drawn = useRef<Stroke>([]);
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [name, setName] = useState("");
  const isEmpty = strokes.length === 0 && name.trim() === "";
  useLayoutEffect(() => {
    if (!canvas.current) return;
    paint(canvas.current, strokes, name.trim());
    const picture = isEmpty ? undefined : pictureOf(canvas.current);
    putInto(field.current, picture ? [picture] : []);
  }, [strokes, name, isEmpty]);
  const clear = (): void => {
    setStrokes([]);
    setName("");
  };
  useFormReset(field, clear);
  // The buttons disappear when the last stroke is removed, so the focus must move.
  const keepFocus = () => canvas.current?.parentElement?.focus();
  const add = (event: PointerEvent): void => {
    const pad = canvas.current;
    if (!pad) return;
    const box = pad.getBoundingClientRect();
    const events = event.getCoalescedEvents?.() ?? [];
    drawn.current = [...drawn.current, ...(events.length > 0 ? events : [event]).map((one) => pointAt(one, box))];
    paint(pad, [...(name === "" ? strokes : []), drawn.current], "");
  };
  const end = (): void => {
    if (drawn.current.length === 0) return;
    setStrokes([...(name === "" ? strokes : []), drawn.current]);
    setName("");
    drawn.current = [];
  };
  return {
    ...{ canvas, field, name, isEmpty },
    clear() {
      keepFocus();
      clear();
    },
    /** Replaces the drawing with a name. */
    write(written: string): void {
      setStrokes([]);
      setName(written);
    },
    undo() {
      if (strokes.length === 1) keepFocus();
      setStrokes(strokes.slice(0, -1));
    },
    draws: {
      onPointerDown(event: PointerEvent): void {
        // Ignores other touches, such as those of the hand that holds the pen.
        if (!event.isPrimary || event.button !== 0) return;
        event.preventDefault();
        canvas.current?.setPointerCapture(event.pointerId);
        add(event);
      },
      onPointerMove(event: PointerEvent): void {
        if (drawn.current.length > 0 && event.isPrimary) add(event);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

function SideButton({ label, onClick }: { readonly label: string; onClick(): void }) {
  return (
    <button type="button" class="typebot-button secondary-button" onClick={onClick}>
      {label}
    </button>
  );
}

function isRequired(input: Input): boolean {
  return flagAt(input, "options", "isRequired") ?? true;
}
