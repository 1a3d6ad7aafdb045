/** @jsxImportSource preact */
import type { InputHTMLAttributes } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "../../../conversation/rare-words.ts";
import { numberIn, type Words } from "../../../conversation/words.ts";
import { type Country, countriesFound, countryNamed } from "./names.ts";

type Props = {
  readonly id: string;
  readonly countries: readonly Country[];
  readonly words: Words;
  readonly initial: string;
  /** Returns the text that the field shows for a chosen country. */
  textOf(country: Country): string;
  /**
   * Whether a text that is not a country is kept, so that it can be rejected with a reason. Otherwise, the previous
   * country is restored.
   */
  readonly keepsOthers: boolean;
  /** Whether the field replaces a list that had the focus. */
  readonly hasFocus: boolean;
  readonly attributes: InputHTMLAttributes<HTMLInputElement>;
};

/**
 * A field that searches countries, following ARIA's pattern for comboboxes. Typing marks the most likely country, and
 * Enter or leaving the field then chooses the marked country. Escape restores the previous text. The text is stored in
 * the field itself, so that drafts and forms can read it.
 */
export function CountryField({ id, countries, words, initial, textOf, keepsOthers, hasFocus, attributes }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(initial);
  const [search, setSearch] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState<string>();
  const [chosen, setChosen] = useState(() => countryNamed(initial, countries)?.code);
  const flagOf = useFlags(isOpen);
  const found = search === undefined ? countries : countriesFound(search, countries);
  const place = found.findIndex(({ code }) => code === marked);
  useMarkInSight(list, `${marked} ${isOpen}`);

  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus({ preventScroll: true });
  }, []);

  /** Reads the country from the text of the field, because a restored draft was not typed by the visitor. */
  const readField = () => {
    before.current = field.current?.value ?? "";
    const current = countryNamed(before.current, countries)?.code;
    setChosen(current);
    return current;
  };
  const open = () => {
    if (isOpen) return;
    setMarked(readField());
    setOpen(true);
    field.current?.select();
  };
  const close = () => {
    setOpen(false);
    setSearch(undefined);
    setMarked(undefined);
  };
  const write = (text: string) => {
    close();
    before.current = text;
    setChosen(countryNamed(text, countries)?.code);
    if (!field.current || field.current.value === text) return;
    field.current.value = text;
    field.current.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const leave = () => {
    if (!isOpen) return;
    const [likeliest] = found;
    // Without a search, the mark is on the chosen country until the visitor moves it.
    const isUnmoved = search === undefined ? marked === chosen : search.trim() === "" && place < 0;
    if (isUnmoved) return write(search === undefined ? before.current : "");
    const country = found[place] ?? likeliest;
    write(country ? textOf(country) : keepsOthers ? (search ?? before.current) : before.current);
  };
  const type = (text: string) => {
    setOpen(true);
    setSearch(text);
    setMarked(text.trim() === "" ? undefined : countriesFound(text, countries)[0]?.code);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && !event.altKey) {
      event.preventDefault();
      if (!isOpen) return open();
      setMarked(found[placeAfter(place, step, found.length)]?.code);
    } else if (event.key === "Enter" && isOpen) {
      // If no country is found and the text is kept, Enter sends the text.
      if (found.length > 0 || !keepsOthers) event.preventDefault();
      leave();
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      write(before.current);
    }
  };
  return (
    <div class="country-search">
      {isOpen && found.length > 0 && (
        // The field keeps the focus and handles the keys of the list.
        <ul ref={list} id={`${id}-countries`} class="country-list" {...asList} aria-label={words.country}>
          {found.map((country) => (
            <li
              key={country.code}
              id={`${id}-${country.code}`}
              class={country.code === marked ? "is-marked" : undefined}
              {...asOption(country.code === chosen)}
              {...chosenBy(() => write(textOf(country)))}
            >
              <Flag source={flagOf?.(country.code)} />
              <span dir="auto">{textOf(country)}</span>
            </li>
          ))}
        </ul>
      )}
      {isOpen && found.length === 0 && <p class="country-none">{words.noneFound}</p>}
      <div class="country-line">
        {chosen !== undefined && !isOpen && flagOf && <Flag source={flagOf(chosen)} />}
        <input
          {...attributes}
          ref={field}
          class={`typebot-country-select ${attributes.class ?? ""}`}
          type="text"
          role="combobox"
          aria-expanded={isOpen}
          aria-autocomplete="list"
          aria-controls={isOpen && found.length > 0 ? `${id}-countries` : undefined}
          aria-activedescendant={isOpen && place >= 0 ? `${id}-${marked}` : undefined}
          autocomplete={attributes.autocomplete ?? "off"}
          autocapitalize="words"
          spellcheck={false}
          defaultValue={initial}
          onClick={open}
          onFocus={readField}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
          onBlur={leave}
        />
        <svg viewBox="0 0 24 24" aria-hidden="true" class="country-arrow">
          <path d="m6 9 6 6 6-6" />
        </svg>
      </div>
      <p class="visually-hidden" role="status">
        {search === undefined || search.trim() === ""
          ? ""
          : found.length === 0
            ? words.noneFound
            : say(words, "found", { count: numberIn(words, found.length) })}
      </p>
    </div>
  );
}

/**
 * The ARIA roles of a list in which a separate field moves the mark. The linter expects options that receive the focus.
 */
const asList = { role: "listbox" } as const;
const asOption = (isChosen: boolean) => ({ role: "option", "aria-selected": isChosen }) as const;

/** The handlers of an option. A press chooses the option but leaves the focus in the field, which handles the keys. */
const chosenBy = (onClick: () => void) => ({ onMouseDown: (event: Event) => event.preventDefault(), onClick });

/** A small decorative picture next to the name. */
function Flag({ source }: { readonly source: string | undefined }) {
  return source === undefined ? (
    <span class="country-flag" />
  ) : (
    <img class="country-flag" src={source} alt="" decoding="async" loading="lazy" />
  );
}

/** Returns the next position in the list. Single steps wrap around at the ends; larger steps stop at the ends. */
function placeAfter(place: number, step: number, count: number): number {
  if (place < 0) return step > 0 ? 0 : count - 1;
  if (Math.abs(step) === 1) return (place + step + count) % count;
  return Math.min(Math.max(place + step, 0), count - 1);
}

/** Loads the flags when the first list is opened. Until then, only the names are shown. */
function useFlags(isWanted: boolean) {
  const [flags, setFlags] = useState<typeof import("./flags.ts")>();
  useLayoutEffect(() => {
    if (isWanted && !flags) import("./flags.ts").then(setFlags, () => {});
  }, [isWanted]);
  return flags?.flagOf;
}

/** Scrolls only the list to the mark, without scrolling its ancestors. */
function useMarkInSight(list: { readonly current: HTMLElement | null }, mark: string): void {
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(".is-marked");
    if (!row || !list.current) return;
    const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
    const { scrollTop, clientHeight } = list.current;
    if (top < scrollTop) list.current.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) list.current.scrollTop = bottom - clientHeight;
  }, [mark]);
}
