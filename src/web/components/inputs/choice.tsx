/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks";
import { filledTextAt, flagAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { nameOf, SendButton } from "./parts/field.tsx";
import type { FieldProps, InputKind, Read } from "./parts/input-kind.ts";
import { hasPointer } from "./parts/live.ts";

/**
 * A choice between buttons. One button is pressed, or several are checked and sent. Many buttons become a list with a
 * filter (`choice-list.tsx`).
 */
export const choiceInput: InputKind = {
  View(props) {
    return (
      <fieldset class="choices has-keys" {...useKeys(props.isLive)} {...groupNames(props)}>
        <Options {...props} />
        <SendSeveral {...props} />
      </fieldset>
    );
  },
  read: readChoice,
};

/**
 * Returns the attributes of a group whose options are pressed with letter keys. When the group appears, it receives the
 * focus if no other element has it and the visitor has a mouse.
 */
export function useKeys(isLive: boolean) {
  const ref = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // The page around an embedded chat may need the focus.
    if (!isLive || !hasPointer() || window.parent !== window || ref.current?.getRootNode() !== document) return;
    if (document.activeElement === document.body) ref.current.focus({ preventScroll: true });
  }, [isLive]);
  return { ref, tabIndex: -1, onKeyDown: pressByKey };
}

async function pressByKey(event: KeyboardEvent): Promise<void> {
  const group = event.currentTarget;
  if (event.key.length > 1 || !(group instanceof Element) || !hasPointer()) return;
  const { optionOfKey } = await import("./parts/option-keys.ts");
  const option = optionOfKey(event, group);
  option?.focus();
  option?.click();
}

type Item = { readonly id: string; readonly label: string; readonly reply: string };

export function itemsOf(input: Input): Item[] {
  return listAt(input, "items").flatMap((item) => {
    const id = textAt(item, "id");
    if (id === undefined) return [];
    const value = filledTextAt(item, "value");
    const content = filledTextAt(item, "content");
    return [{ id, label: content ?? value ?? "", reply: value ?? content ?? id }];
  });
}

/** Reads the pressed or checked items as a message. The items must have different texts. */
function readChoice(form: FormData, input: Input, words: Words): Read {
  const chosen = itemsOf(input).filter((item) => form.getAll("choice").includes(item.id));
  const [first] = chosen;
  if (!first) return { kind: "wrong", error: words.chooseOne };
  if (isMultipleChoice(input)) {
    return { kind: "said", message: { type: "text", text: chosen.map(({ reply }) => reply).join(", ") } };
  }
  return {
    kind: "said",
    message: { type: "text", text: first.reply, metadata: { replyId: first.id } },
  };
}

export function isMultipleChoice(input: Input): boolean {
  return flagAt(input, "options", "isMultipleChoice") === true;
}

/** Returns the attributes that name a group of options by its question, or by the request to choose one. */
export function groupNames({ questionId, errorId, words }: FieldProps) {
  return { ...nameOf(questionId, words.chooseOne), "aria-describedby": errorId };
}

type OptionsProps = FieldProps & {
  /** Whether the filter shows the option with this label. If absent, all options are shown. */
  readonly isVisible?: (label: string) => boolean;
};

/**
 * Buttons or checkboxes. If all options are short, they are in rows. Otherwise, they are in one column and have the
 * same width.
 */
export function Options({ input, errorId, isVisible = () => true }: OptionsProps) {
  const items = itemsOf(input);
  const isMultiple = isMultipleChoice(input);
  return (
    <div class={`typebot-buttons-input ${areShort(items) ? "is-chips" : ""}`}>
      {items.map(({ id, label }, index) => {
        const key = `${index} ${id}`;
        const isHidden = !isVisible(label);
        const words = <span dir="auto">{label}</span>;
        return isMultiple ? (
          <label key={key} class="typebot-selectable" hidden={isHidden}>
            <input type="checkbox" class="typebot-checkbox" name="choice" value={id} aria-describedby={errorId} />
            {words}
          </label>
        ) : (
          <button key={key} type="submit" class="typebot-button option" name="choice" value={id} hidden={isHidden}>
            {words}
          </button>
        );
      })}
    </div>
  );
}

/** The button that sends the checked items, if several items are allowed. */
export function SendSeveral({ input, words }: FieldProps) {
  if (!isMultipleChoice(input)) return null;
  return <SendButton label={filledTextAt(input, "options", "buttonLabel") ?? words.send} words={words} />;
}

/** Whether the labels fit into about three rows on a phone, and no label takes half of a row. */
function areShort(items: readonly Item[]): boolean {
  const lengths = items.map(({ label }) => label.length);
  return Math.max(...lengths) <= 20 && lengths.reduce((sum, length) => sum + length + 5, 0) <= 100;
}
