import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../ui/index.ts";
import commentWords from "../words/en/comment.json";
import { useWords } from "../words/index.ts";
import { apart, begunName, matching, stored, written } from "./mentions.ts";
import type { Person } from "./store.ts";

type Props = {
  readonly label: string;
  readonly people: readonly Person[];
  readonly submit: string;
  /** The stored text of the comment that is being edited. */
  readonly initial?: string;
  /** Stores the unsent text while the comments of another object are open. */
  readonly draft?: { readonly text: string; keep(text: string): void };
  readonly isFocused?: boolean;
  /** Sends the comment. The message of a thrown error is shown beside the field. */
  readonly onSend: (text: string) => Promise<void>;
  readonly onCancel?: (() => void) | undefined;
};

const mostCharacters = 4_000;

/** A field for a comment. `@` offers the people who may read the bot. Ctrl+Enter or ⌘+Enter sends the comment. */
export function Composer({ label, submit, initial = "", draft, isFocused, onSend, onCancel, ...props }: Props) {
  const words = useWords(commentWords);
  const people = useMemo(() => apart(props.people), [props.people]);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, write] = useState(() => draft?.text ?? written(initial, people));
  const [begun, setBegun] = useState<string>();
  const [active, setActive] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const id = useId();
  const offered = begun === undefined ? [] : matching(people, begun);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);

  const setText = (next: string): void => {
    write(next);
    draft?.keep(next);
  };
  const note = (element: HTMLTextAreaElement): void => {
    setText(element.value);
    setBegun(begunName(element.value.slice(0, element.selectionStart)));
    setActive(0);
  };
  const mention = ({ name }: Person): void => {
    const element = field.current;
    if (!element) return;
    const at = element.selectionStart - (begun?.length ?? 0);
    element.setRangeText(`${name} `, at, element.selectionStart, "end");
    note(element);
    setBegun(undefined);
    element.focus();
  };
  const send = async (): Promise<void> => {
    if (text.trim() === "" || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSend(stored(text.trim(), people));
      setText("");
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = offered[active];
    if (chosen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const by = event.key === "ArrowDown" ? 1 : offered.length - 1;
      setActive((active + by) % offered.length);
      event.preventDefault();
    } else if (chosen && (event.key === "Enter" || event.key === "Tab")) {
      mention(chosen);
      event.preventDefault();
    } else if (event.key === "Escape" && (chosen || onCancel)) {
      if (chosen) setBegun(undefined);
      else onCancel?.();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      void send();
      event.preventDefault();
    }
  };
  return (
    <form
      class="comment-composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        class="app-input comment-field"
        rows={3}
        dir="auto"
        maxLength={mostCharacters}
        placeholder={label}
        value={text}
        aria-autocomplete="list"
        aria-controls={`${id}-people`}
        aria-activedescendant={offered.length > 0 ? `${id}-${active}` : undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onInput={({ currentTarget }) => note(currentTarget)}
        onKeyDown={onKeyDown}
        onBlur={() => setBegun(undefined)}
      />
      <div
        id={`${id}-people`}
        class="comment-people"
        role="listbox"
        aria-label={words.people}
        hidden={offered.length === 0}
      >
        {offered.map((person, index) => (
          <div
            key={person.userId}
            id={`${id}-${index}`}
            class="comment-person"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Prevents the press from moving the focus out of the field.
            onPointerDown={(event) => {
              event.preventDefault();
              mention(person);
            }}
          >
            {person.name}
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} class="comment-error" role="alert">
          {error}
        </p>
      )}
      <div class="comment-acts">
        <Button label={submit} size="s" kind="primary" busy={isBusy} onPress={() => void send()} />
        {onCancel && <Button label={words.cancel} size="s" kind="quiet" onPress={onCancel} />}
      </div>
    </form>
  );
}
