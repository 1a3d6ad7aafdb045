/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { filledTextAt, flagAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { fill } from "../../conversation/words.ts";
import { SendButton } from "./field.tsx";
import type { FieldProps, InputKind } from "./input-kind.ts";
import { useLive } from "./live.ts";

/** Buttons: one is pressed, or several are ticked and sent. */
export const choiceInput: InputKind = {
  View(props) {
    const { input, words } = props;
    const [search, setSearch] = useState("");
    const isLive = useLive(props.isLive);
    const isSearchable = isLive && flagAt(input, "options", "isSearchable") === true;
    const items = itemsOf(input);
    const visible = isSearchable ? matching(input, items, search) : items;
    const isMultiple = isMultipleChoice(input);
    const name =
      props.questionId === undefined ? { "aria-label": words.chooseOne } : { "aria-labelledby": props.questionId };
    return (
      <fieldset class="choices" {...name} aria-describedby={props.errorId}>
        {isSearchable && <Search {...props} count={visible.length} search={search} onSearch={setSearch} />}
        <div class="typebot-buttons-input">
          {items.map((item, index) =>
            isMultiple ? (
              <Checkbox
                key={`${index} ${item.id}`}
                item={item}
                isHidden={!visible.includes(item)}
                errorId={props.errorId}
              />
            ) : (
              <button
                key={`${index} ${item.id}`}
                type="submit"
                class="typebot-button"
                name="choice"
                value={item.id}
                hidden={!visible.includes(item)}
                dir="auto"
              >
                {item.label}
              </button>
            ),
          )}
        </div>
        {isMultiple && <SendButton label={filledTextAt(input, "options", "buttonLabel") ?? words.send} words={words} />}
      </fieldset>
    );
  },
  read(form, input, words) {
    const chosen = itemsOf(input).filter((item) => form.getAll("choice").includes(item.id));
    const [first] = chosen;
    if (!first) return { kind: "wrong", error: words.chooseOne };
    if (isMultipleChoice(input)) {
      return { kind: "said", message: { type: "text", text: chosen.map(({ reply }) => reply).join(", ") } };
    }
    return { kind: "said", message: { type: "text", text: first.reply, metadata: { replyId: first.id } } };
  },
};

type Item = { readonly id: string; readonly label: string; readonly reply: string };

function itemsOf(input: Input): Item[] {
  return listAt(input, "items").flatMap((item) => {
    const id = textAt(item, "id");
    if (id === undefined) return [];
    const value = filledTextAt(item, "value");
    const content = filledTextAt(item, "content");
    return [{ id, label: content ?? value ?? "", reply: value ?? content ?? id }];
  });
}

function isMultipleChoice(input: Input): boolean {
  return flagAt(input, "options", "isMultipleChoice") === true;
}

/** The items that match a search. Before one is typed all are shown, unless the author hides them until then. */
export function matching<One extends { readonly label: string }>(
  input: Input,
  items: readonly One[],
  search: string,
): readonly One[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return flagAt(input, "options", "areInitialSearchButtonsVisible") === false ? [] : items;
  return items.filter(({ label }) => label.toLowerCase().includes(wanted));
}

function Checkbox({ item, isHidden, errorId }: { item: Item; isHidden: boolean; errorId: string | undefined }) {
  return (
    <label class="typebot-selectable" hidden={isHidden} dir="auto">
      <input type="checkbox" class="typebot-checkbox" name="choice" value={item.id} aria-describedby={errorId} />
      <span>{item.label}</span>
    </label>
  );
}

type SearchProps = FieldProps & { count: number; search: string; onSearch(text: string): void };

/** A search field, which announces how many items match. */
export function Search({ input, words, count, search, onSearch }: SearchProps) {
  const placeholder = filledTextAt(input, "options", "searchInputPlaceholder") ?? words.filterOptions;
  const found = count === 0 ? words.noneFound : fill(words.found, { count });
  return (
    <>
      <div class="typebot-input field-row">
        <input
          class="text-input"
          type="search"
          aria-label={placeholder}
          placeholder={placeholder}
          value={search}
          autocomplete="off"
          onInput={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={chooseOnlyMatch}
        />
      </div>
      <p class="visually-hidden" role="status">
        {search.trim() === "" ? "" : found}
      </p>
    </>
  );
}

/** Enter chooses the match where there is one only, else nothing: by default it would press the form's first button. */
function chooseOnlyMatch(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.currentTarget instanceof HTMLInputElement)) return;
  event.preventDefault();
  const choices = event.currentTarget.form?.querySelectorAll<HTMLElement>("[name=choice]:not([hidden])") ?? [];
  const matches = [...choices].filter((each) => !each.closest("[hidden]"));
  if (matches.length === 1) matches[0]?.click();
}
