/** @jsxImportSource preact */
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { say } from "../../conversation/rare-words.ts";
import { flagAt, listAt, textAt } from "../../conversation/read.ts";
import { AskContext } from "../asking.ts";
import css from "./address.css" with { type: "text" };
import { ariaNames, buttonLabel, placeholderOf, SendButton, textOf } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { LineField } from "./parts/line-field.tsx";
import { useLive } from "./parts/live.ts";

/** An address: a single-line field, with suggestions above the field if the bot has an address search. */
export const addressInput: InputKind = {
  css,
  View(props) {
    if (flagAt(props.input, "options", "hasSuggestions")) return <Combobox {...props} />;
    return <LineField {...props} defaultPlaceholder={props.words.typeAddress} attributes={{ type: "text" }} />;
  },
  read(form, _input, words) {
    const text = textOf(form, "text").trim();
    if (text === "") return { kind: "wrong", error: words.required };
    const replyId = textOf(form, "chosen");
    return { kind: "said", message: { type: "text", text, ...(replyId !== "" && { metadata: { replyId } }) } };
  },
};

type Suggestion = { readonly text: string; readonly id: string };

/** `active` is the index of the suggestion that Enter would choose, or -1 if there is none. */
type Shown = { readonly options: readonly Suggestion[]; readonly active: number; readonly isOpen: boolean };

const closed: Shown = { options: [], active: -1, isOpen: false };

/** The pause in typing after which suggestions are requested. */
const pauseMs = 250;
/** Shorter texts are too unspecific for a search, and longer texts are not addresses. */
const characters = { least: 3, most: 200 };

/**
 * A plain field without scripts. With scripts, a combobox with a listbox, whose focus stays in the field (WAI-ARIA
 * Authoring Practices: "Editable Combobox With List Autocomplete").
 *
 *     closed ─ suggestions arrive ────────────────→ open, no option is active
 *     closed ─ an arrow key, with suggestions ────→ open, the first or the last option is active
 *     open ─ an arrow key ────────────────────────→ open, the next or previous option is active
 *     open ─ Enter on the active option, a press ─→ closed, the option is in the field
 *     open ─ Escape, the focus leaves, no match ──→ closed
 */
function Combobox(props: FieldProps) {
  const { input, words } = props;
  const isLive = useLive(props.isLive);
  const [{ options, active, isOpen }, show] = useState(closed);
  const [chosen, setChosen] = useState("");
  const [status, setStatus] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const search = useSearch(input.id, (found) => {
    show({ options: found, active: -1, isOpen: found.length > 0 });
    setStatus(found.length === 0 ? words.noneFound : say(words, "found", { count: found.length }));
  });
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const close = (): void => show({ options, active: -1, isOpen: false });
  const choose = ({ text, id }: Suggestion): void => {
    if (field.current) field.current.value = text;
    search("");
    setChosen(id);
    setStatus("");
    show(closed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = options[active];
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0 && options.length > 0) {
      const from = active < 0 && by < 0 ? 0 : active;
      show({ options, active: (from + by + options.length) % options.length, isOpen: true });
    } else if (event.key === "Escape" && isOpen) {
      // Closes only the list, and not a window that contains the chat.
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && isOpen && option && !event.isComposing) choose(option);
    else return;
    event.preventDefault();
  };
  const placeholder = placeholderOf(input, words.typeAddress);
  const listId = `${input.id}-addresses`;
  const idOf = (index: number): string => `${listId}-${index}`;
  return (
    <>
      <div
        ref={list}
        class="addresses typebot-input"
        id={listId}
        role="listbox"
        aria-label={words.suggestions}
        hidden={!isOpen}
      >
        {options.map((option, index) => (
          <button
            key={option.text}
            type="button"
            tabIndex={-1}
            id={idOf(index)}
            class="address-option"
            role="option"
            aria-selected={index === active}
            dir="auto"
            // Keeps the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option.text}
          </button>
        ))}
      </div>
      <div class="typebot-input field-row">
        <input
          ref={field}
          class="text-input"
          data-focus
          type="text"
          name="text"
          defaultValue={props.initial}
          placeholder={placeholder}
          required
          autocomplete="off"
          dir="auto"
          {...(isLive && {
            role: "combobox",
            "aria-autocomplete": "list",
            "aria-expanded": isOpen,
            "aria-controls": listId,
            "aria-activedescendant": isOpen && active >= 0 ? idOf(active) : undefined,
          })}
          {...ariaNames(props, placeholder)}
          onInput={({ currentTarget }) => {
            const isSearched = search(currentTarget.value);
            setChosen("");
            show(isSearched ? { options, active: -1, isOpen } : closed);
            if (!isSearched) setStatus("");
          }}
          onKeyDown={onKeyDown}
          onBlur={() => {
            search("");
            close();
          }}
        />
        <SendButton label={buttonLabel(input)} words={words} />
      </div>
      {chosen !== "" && <input type="hidden" name="chosen" value={chosen} />}
      <p class="visually-hidden" role="status">
        {status}
      </p>
    </>
  );
}

/**
 * Returns a function that requests suggestions when the visitor pauses. The function returns false for text that gets
 * no suggestions. Each call cancels the previous request.
 */
function useSearch(blockId: string, onFound: (found: readonly Suggestion[]) => void): (words: string) => boolean {
  const ask = useContext(AskContext);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  return (words) => {
    stop.current();
    const abort = new AbortController();
    const { signal } = abort;
    const find = async (): Promise<void> => {
      const found = await read(
        ask?.("suggestions", { method: "POST", body: JSON.stringify({ blockId, text: words }), signal }),
      );
      if (!signal.aborted) onFound(found);
    };
    if (words.trim().length < characters.least || words.length > characters.most) return false;
    const timer = setTimeout(find, pauseMs);
    stop.current = () => {
      clearTimeout(timer);
      abort.abort();
    };
    return true;
  };
}

async function read(asked: Promise<Response> | undefined): Promise<readonly Suggestion[]> {
  // If the request fails or is cancelled, no suggestions are shown, and the visitor can continue typing.
  const body: unknown = await asked?.then((response) => response.json()).catch(() => undefined);
  return listAt(body, "suggestions").flatMap((one) => {
    const text = textAt(one, "text");
    return text ? [{ text, id: textAt(one, "id") ?? "" }] : [];
  });
}
