import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { PeopleInField } from "../../presence/people-in-text.tsx";
import type { SharedText } from "../../presence/shared-text.ts";
import { Field, IconButton, useField, useOfferedNames } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import type { WidgetProps } from "../contract.ts";
import { useFieldProps } from "../fields/field-props.tsx";
import { type OpenName, openNameAt, withBraces, withName } from "../fields/open-name.ts";
import { useSaidCaret } from "../fields/use-said-caret.ts";
import { useShownText } from "../fields/use-shown-text.ts";
import { useFormRoot } from "../form-root.ts";

export type VariableFieldProps = WidgetProps & {
  readonly text: string;
  /** `before` is the field's previous text. */
  readonly onText: (text: string, before: string) => void;
  readonly onLeave?: () => void;
  readonly error?: string | undefined;
  readonly kind: "line" | "lines" | "code";
  readonly placeholder?: string | undefined;
  /** Set if the field shows the stored text itself, so that other people can edit the text at the same time. */
  readonly shared?: SharedText | undefined;
  readonly aside?: ComponentChildren;
  readonly below?: ComponentChildren;
  /** Whether only screen readers get the label, for a field in a line with other fields. */
  readonly isBare?: boolean;
};

type Box = HTMLInputElement | HTMLTextAreaElement;

/**
 * A text field that supports variables. Typing `{{` or pressing the button opens a list of their names, which can also
 * create a variable from the typed text.
 */
export function VariableField(props: VariableFieldProps) {
  const { text, onText, onLeave, error, kind, placeholder, shared, below, isBare = false, ...widget } = props;
  const { context } = useFormRoot();
  const words = useWords(formWords);
  const box = useRef<Box>(null);
  const caret = useRef<number | undefined>(undefined);
  const [open, setOpen] = useState<OpenName>();
  const { hasVariables = true } = context;
  const openAt = (next: string, position: number) => (hasVariables ? openNameAt(next, position) : undefined);

  useLayoutEffect(() => {
    if (caret.current === undefined || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const write = (next: { readonly text: string; readonly caret: number }) => {
    caret.current = next.caret;
    onText(next.text, text);
    setOpen(openAt(next.text, next.caret));
  };
  const insert = () => {
    const from = box.current?.selectionStart ?? text.length;
    write(withBraces(text, from, box.current?.selectionEnd ?? from));
  };
  const take = (name: string, isNew: boolean) => {
    if (!open) return;
    if (isNew) context.makeVariable(name);
    write(withName(text, open, name));
    setOpen(undefined);
  };
  const names = useOfferedNames({
    typed: open?.typed,
    names: open ? context.variables.value.map(({ name }) => name) : [],
    onTake: take,
    onLeave: () => setOpen(undefined),
    words,
  });
  const button = hasVariables && !context.isReadOnly && (
    <IconButton icon="braces" size="s" label={words.insertVariable} onPress={insert} />
  );
  const field = useFieldProps(
    widget,
    error,
    <>
      {props.aside}
      {button}
    </>,
  );
  return (
    <Field {...field} {...(isBare && { isLabelHidden: true, aside: undefined })}>
      <div class="app-form-text">
        <TextBox
          kind={kind}
          text={text}
          placeholder={placeholder}
          isReadOnly={context.isReadOnly}
          box={box}
          names={open && names}
          shared={shared}
          onInput={(element, before) => {
            onText(element.value, before);
            setOpen(openAt(element.value, element.selectionStart ?? element.value.length));
          }}
          onMove={(element) => open && setOpen(openAt(element.value, element.selectionStart ?? 0))}
          onBlur={() => {
            setOpen(undefined);
            onLeave?.();
          }}
        />
        <PeopleInField shared={shared} box={box} />
        {open && box.current && names.draw(box.current)}
      </div>
      {below}
    </Field>
  );
}

type TextBoxProps = {
  readonly kind: VariableFieldProps["kind"];
  readonly text: string;
  readonly placeholder: string | undefined;
  readonly isReadOnly: boolean;
  readonly box: { current: Box | null };
  readonly names: ReturnType<typeof useOfferedNames> | undefined;
  readonly shared: SharedText | undefined;
  readonly onInput: (element: Box, before: string) => void;
  /** Called when the caret has moved. */
  readonly onMove: (element: Box) => void;
  readonly onBlur: () => void;
};

function TextBox(props: TextBoxProps) {
  const { kind, text, placeholder, isReadOnly, box, names, shared: sharedText, onInput, onMove, onBlur } = props;
  const field = useField();
  const { hasVariables = true } = useFormRoot().context;
  const words = useWords(formWords);
  const noteId = useId();
  const keep = (element: Box | null) => {
    box.current = element;
  };
  /** Whether Tab leaves the field. Set by Escape, and reset by typing. */
  const isLeaving = useRef(false);
  const { note, ...composing } = useShownText(box, text);
  const saying = useSaidCaret(box, sharedText);
  const shared = {
    ...field,
    ...composing,
    placeholder,
    readOnly: isReadOnly,
    dir: "auto" as const,
    autocomplete: "off" as const,
    ...(hasVariables && { "aria-autocomplete": "list" as const, "aria-haspopup": "listbox" as const }),
    "aria-controls": names?.id,
    "aria-activedescendant": names?.activeId,
    onFocus: saying.onFocus,
    onBlur: () => {
      saying.onBlur();
      onBlur();
    },
    onInput: (event: { currentTarget: Box }) => onInput(event.currentTarget, note(event.currentTarget)),
    onKeyUp: (event: { currentTarget: Box }) => onMove(event.currentTarget),
    onClick: (event: { currentTarget: Box }) => onMove(event.currentTarget),
  };
  if (kind === "line") {
    return (
      <input {...shared} type="text" class="app-input" ref={keep} onKeyDown={(event) => names?.onKeyDown(event)} />
    );
  }
  if (kind === "lines") {
    return (
      <textarea
        {...shared}
        class="app-input app-text-area"
        rows={3}
        ref={keep}
        onKeyDown={(event) => names?.onKeyDown(event)}
      />
    );
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    names?.onKeyDown(event);
    if (event.defaultPrevented) return;
    if (event.key === "Escape") isLeaving.current = true;
    else if (event.key !== "Tab") isLeaving.current = false;
    else if (!isLeaving.current && !event.shiftKey && !isReadOnly) {
      event.preventDefault();
      const { selectionStart, selectionEnd } = event.currentTarget;
      event.currentTarget.setRangeText("  ", selectionStart, selectionEnd, "end");
      onInput(event.currentTarget, note(event.currentTarget));
    }
  };
  return (
    <>
      <textarea
        {...shared}
        aria-describedby={[field["aria-describedby"], noteId].filter(Boolean).join(" ")}
        class="app-input app-text-area is-mono"
        rows={5}
        spellcheck={false}
        dir="ltr"
        ref={keep}
        onKeyDown={onKeyDown}
      />
      <span class="visually-hidden" id={noteId}>
        {words.leaveCode}
      </span>
    </>
  );
}
