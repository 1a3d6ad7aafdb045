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
    const shown = isSearchable ? matching(input, items, search) : items;
    const isMultiple = isMultipleChoice(input);
    const name =
      props.questionId === undefined ? { "aria-label": words.chooseOne } : { "aria-labelledby": props.questionId };
    return (
      <fieldset class="choices" {...name} aria-describedby={props.errorId}>
        {isSearchable && <Search {...props} count={shown.length} search={search} onSearch={setSearch} />}
        <div class="typebot-buttons-input">
          {items.map((item, index) =>
            isMultiple ? (
              <Tick key={`${index} ${item.id}`} item={item} isHidden={!shown.includes(item)} errorId={props.errorId} />
            ) : (
              <button
                key={`${index} ${item.id}`}
                type="submit"
                class="typebot-button"
                name="choice"
                value={item.id}
                hidden={!shown.includes(item)}
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
      return { kind: "said", message: { type: "text", text: chosen.map(({ says }) => says).join(", ") } };
    }
    return { kind: "said", message: { type: "text", text: first.says, metadata: { replyId: first.id } } };
  },
};

type Item = { readonly id: string; readonly label: string; readonly says: string };

function itemsOf(input: Input): Item[] {
  return listAt(input, "items").flatMap((item) => {
    const id = textAt(item, "id");
    if (id === undefined) return [];
    const value = filledTextAt(item, "value");
    const content = filledTextAt(item, "content");
    return [{ id, label: content ?? value ?? "", says: value ?? content ?? id }];
  });
}

function isMultipleChoice(input: Input): boolean {
  return flagAt(input, "options", "isMultipleChoice") === true;
}

/** Where the author hides the buttons at first, they show once something is looked for. */
export function matching<One extends { readonly label: string }>(
  input: Input,
  items: readonly One[],
  search: string,
): readonly One[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return flagAt(input, "options", "areInitialSearchButtonsVisible") === false ? [] : items;
  return items.filter(({ label }) => label.toLowerCase().includes(wanted));
}

function Tick({ item, isHidden, errorId }: { item: Item; isHidden: boolean; errorId: string | undefined }) {
  return (
    <label class="typebot-selectable" hidden={isHidden} dir="auto">
      <input type="checkbox" class="typebot-checkbox" name="choice" value={item.id} aria-describedby={errorId} />
      <span>{item.label}</span>
    </label>
  );
}

type SearchProps = FieldProps & { count: number; search: string; onSearch(text: string): void };

/** A field that leaves only what matches, and says how much that is. */
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
          onKeyDown={chooseTheOnlyOne}
        />
      </div>
      <p class="visually-hidden" role="status">
        {search.trim() === "" ? "" : found}
      </p>
    </>
  );
}

/** Enter chooses what is left when that is one, and nothing otherwise: the form would send its first button. */
function chooseTheOnlyOne(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.currentTarget instanceof HTMLInputElement)) return;
  event.preventDefault();
  const left = event.currentTarget.form?.querySelectorAll<HTMLElement>("[name=choice]:not([hidden])") ?? [];
  const ticks = [...left].filter((each) => !each.closest("[hidden]"));
  if (ticks.length === 1) ticks[0]?.click();
}
