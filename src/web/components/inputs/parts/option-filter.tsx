/** @jsxImportSource preact */

import { say } from "../../../conversation/rare-words.ts";
import { filledTextAt, flagAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { FieldProps } from "./input-kind.ts";

/**
 * Returns a function that checks whether a label matches the search text. Without a search text, all labels match,
 * unless the author hides the options until a search.
 */
export function matcher(input: Input, search: string): (label: string) => boolean {
  const wanted = folded(search);
  const areAllShown = flagAt(input, "options", "areInitialSearchButtonsVisible") !== false;
  return (label) => (wanted === "" ? areAllShown : folded(label).includes(wanted));
}

/** Removes case and accents, so that "sao" finds "São". */
function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLowerCase();
}

type FilterProps = FieldProps & {
  /** The number of matching options. */
  readonly count: number;
  readonly search: string;
  onSearch(text: string): void;
};

/** A search field that announces the number of matching options. */
export function Filter({ input, words, count, search, onSearch }: FilterProps) {
  const placeholder = filledTextAt(input, "options", "searchInputPlaceholder") ?? words.filterOptions;
  const found = count === 0 ? words.noneFound : say(words, "found", { count });
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
      <p class={count === 0 && search !== "" ? "field-hint" : "visually-hidden"} role="status">
        {search.trim() === "" ? "" : found}
      </p>
    </>
  );
}

/** Makes Enter choose the match if there is only one. By default, Enter would press the form's first button. */
function chooseOnlyMatch(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.currentTarget instanceof HTMLInputElement)) return;
  event.preventDefault();
  const choices = event.currentTarget.form?.querySelectorAll<HTMLElement>("[name=choice]:not([hidden])") ?? [];
  const matches = [...choices].filter((each) => !each.closest("[hidden]"));
  if (matches.length === 1) matches[0]?.click();
}
