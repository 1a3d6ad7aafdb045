import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../words/index.ts";
import { Button, IconButton } from "./button.tsx";
import { FieldError, TextField } from "./field.tsx";
import { Form } from "./form.tsx";
import "./dialog.css";

export type DialogProps = {
  readonly title: ComponentChildren;
  /** The text below the title, which also describes the dialog to screen readers. */
  readonly text?: ComponentChildren;
  readonly size?: "s" | "m" | "l" | undefined;
  /** A `sheet` slides in from the side, or from below on a phone. */
  readonly shape?: "dialog" | "sheet" | undefined;
  /** Whether the close button, Escape, and a press outside the dialog call `onClose`. */
  readonly isDismissable?: boolean | undefined;
  readonly onClose: () => void;
  /**
   * Returns the element that gets the focus after closing, if it differs from the element that had the focus before.
   */
  readonly backTo?: ((before: HTMLElement) => HTMLElement | null) | undefined;
  /**
   * Called after the dialog has closed and the focus has returned. The callback may move the focus. Runs before the
   * next key event.
   */
  readonly onGone?: (() => void) | undefined;
  /** If given, the dialog is a form, and its actions may contain submit buttons. */
  readonly onSubmit?: (() => void) | undefined;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/**
 * Shows a modal window above the page while the component is mounted. The window keeps the focus. Afterwards, the focus
 * returns to the previous element.
 */
export function Dialog({
  title,
  text,
  size = "m",
  shape = "dialog",
  isDismissable = true,
  onClose,
  backTo,
  onGone,
  onSubmit,
  ...rest
}: DialogProps) {
  const words = useWords();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const gone = useRef(onGone);
  gone.current = onGone;
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    // Focuses the main control of the dialog, which is neither a cancel button nor a control that a typed space would
    // press.
    if (!dialog?.querySelector("[autofocus]")) (firstControl(dialog) ?? dialog)?.focus({ preventScroll: true });
    return () => {
      // The dialog must be closed first, because other elements cannot get the focus while it is open.
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) (backTo?.(before) ?? before).focus();
      queueMicrotask(() => gone.current?.());
    };
  }, []);
  const content = (
    <>
      <div class="app-dialog-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {isDismissable && <IconButton icon="x" size="s" label={words.close} onPress={onClose} />}
      </div>
      <div class="app-dialog-body">
        {text !== undefined && (
          <div class="app-dialog-text" id={`${id}-text`}>
            {text}
          </div>
        )}
        {rest.children}
      </div>
      {rest.actions !== undefined && <div class="app-dialog-actions">{rest.actions}</div>}
    </>
  );
  return (
    <dialog
      ref={element}
      tabIndex={-1}
      class={`app-dialog is-${shape} is-${size}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        if (isDismissable) onClose();
      }}
      onKeyDown={(event) => {
        // Rich text handles Escape without a visible effect. This prevents the browser from closing the dialog.
        const isTaken = event.key === "Escape" && event.defaultPrevented && !document.querySelector(":popover-open");
        const isInText = event.target instanceof HTMLElement && event.target.isContentEditable;
        if (isDismissable && isTaken && isInText) onClose();
      }}
      onPointerDown={(event) => {
        if (isDismissable && element.current && event.target === element.current && isOutside(event, element.current))
          onClose();
      }}
    >
      {onSubmit ? (
        <Form class="app-dialog-form" onSubmit={onSubmit}>
          {content}
        </Form>
      ) : (
        <div class="app-dialog-form">{content}</div>
      )}
    </dialog>
  );
}

function firstControl(dialog: HTMLElement | null): HTMLElement | null | undefined {
  const controls =
    "input:not([type=file], [tabindex='-1']), select, textarea, button:not([tabindex='-1']), a[href], [tabindex='0']";
  const usable = `:is(${controls}):not(:disabled, [aria-disabled="true"])`;
  const first =
    dialog?.querySelector<HTMLElement>(`.app-dialog-body ${usable}`) ??
    dialog?.querySelector<HTMLElement>(`.app-dialog-actions ${usable}`);
  return first?.matches("[type=checkbox], .app-dialog-body button:not([role=tab])") ? dialog : first;
}

function isOutside({ clientX, clientY }: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

export type ConfirmDialogProps = {
  readonly title: string;
  /** A sentence that describes the consequence. */
  readonly text: ComponentChildren;
  /** The label of the confirm button, which names the action. */
  readonly action: string;
  readonly isDanger?: boolean | undefined;
  /** The text that must be typed to confirm an action that cannot be undone. */
  readonly typed?: string | undefined;
  /** Performs the action. The dialog stays open while the action is running, and shows an error if it fails. */
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
  /** An additional required choice, such as the new owner. */
  readonly children?: ComponentChildren;
};

export function ConfirmDialog({
  title,
  text,
  action,
  isDanger = false,
  typed,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const words = useWords();
  const [given, setGiven] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const isAllowed = typed === undefined || given.trim() === typed.trim();
  const confirm = async () => {
    if (!isAllowed || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      if (isOpen.current) onClose();
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    } finally {
      if (isOpen.current) setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      text={text}
      size="s"
      onClose={onClose}
      onSubmit={() => void confirm()}
      actions={
        <>
          <Button label={words.cancel} onPress={onClose} />
          <Button
            label={action}
            kind={isDanger ? "danger" : "primary"}
            type="submit"
            busy={isBusy}
            isDisabled={!isAllowed}
          />
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <TextField
          label={words.typeToConfirm({ name: typed })}
          value={given}
          onInput={setGiven}
          attributes={{ autocomplete: "off", spellcheck: false }}
        />
      )}
      <FieldError error={error} />
    </Dialog>
  );
}
