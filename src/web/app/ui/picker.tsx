import { useMemo, useRef, useState } from "preact/hooks";
import outlineWords from "../words/en/outline.json";
import { useWords } from "../words/index.ts";
import { Floating } from "./floating/floating.tsx";
import { bestFits, Dialog, folded, Icon, TextField, Tile } from "./index.ts";
import "./picker.css";

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon?: string;
  /** The family that determines the colours of the icon's tile. */
  readonly family?: string | undefined;
  /** The URL of a picture to show instead of an icon. */
  readonly picture?: string;
  readonly words?: readonly string[];
  /** The heading above the first entry of a section. */
  readonly section?: string;
};

export type PickerProps = {
  readonly title: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** Returns additional entries for the typed text, such as one that creates a group with this name. */
  readonly extra?: (typed: string) => readonly Choice[];
  /** The point at which the list is shown as a menu. If absent, the list is shown in a dialog. */
  readonly point?: { readonly x: number; readonly y: number } | undefined;
  readonly onPick: (value: string, typed: string) => void;
  readonly onClose: () => void;
};

/** The maximum number of rendered entries. Typing filters the list. */
const mostShown = 80;

/**
 * A search field with a list, in a dialog or a menu. The arrow keys select an entry, Enter confirms it, and Escape
 * closes the list. A press outside also closes a menu.
 */
export function Picker({ title, label, choices, extra, point, onPick, onClose }: PickerProps) {
  const { picker: words } = useWords(outlineWords);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const picked = useRef<Choice | undefined>(undefined);
  const found = useMemo(
    () => [...matching(choices, typed), ...(extra?.(typed) ?? [])].slice(0, mostShown),
    [choices, typed, extra],
  );
  const current = Math.min(active, found.length - 1);
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    picked.current = choice;
    onClose();
    if (point) onPick(choice.value, typed.trim());
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setActive(next);
    list.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During a composition, Enter ends the composition and does not select an entry.
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(current + 1);
    else if (event.key === "ArrowUp") move(current - 1);
    else if (event.key === "Enter") pick(found[current]);
    else return;
    event.preventDefault();
  };
  const content = (
    <div class="picker">
      <TextField
        label={label}
        isLabelHidden
        value={typed}
        type="search"
        icon="search"
        placeholder={label}
        attributes={{
          autofocus: true,
          role: "combobox",
          autocomplete: "off",
          "aria-expanded": "true",
          "aria-controls": "picker-list",
          "aria-activedescendant": found.length > 0 ? `picker-${current}` : undefined,
        }}
        onInput={(text) => {
          setTyped(text);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="picker-list" id="picker-list" role="listbox" aria-label={title} ref={list} tabIndex={-1}>
        {found.map((choice, index) => (
          <div key={choice.value}>
            {choice.section !== undefined && choice.section !== found[index - 1]?.section && (
              <div class="picker-section" role="presentation">
                {choice.section}
              </div>
            )}
            <div
              id={`picker-${index}`}
              data-index={index}
              class={`picker-choice ${index === current ? "is-active" : ""}`}
              {...optionRole}
              {...{ "aria-selected": index === current }}
              {...{ onClick: () => pick(choice), onPointerMove: () => index !== current && setActive(index) }}
            >
              {choice.picture === undefined ? (
                choice.icon !== undefined &&
                (choice.family === undefined ? (
                  <Icon name={choice.icon} size={16} />
                ) : (
                  <Tile icon={choice.icon} family={choice.family} />
                ))
              ) : (
                <img class="picker-picture" src={choice.picture} alt="" loading="lazy" />
              )}
              <span class="picker-label">{choice.label}</span>
              {choice.detail !== undefined && <span class="picker-detail">{choice.detail}</span>}
            </div>
          </div>
        ))}
        {found.length === 0 && <p class="picker-none">{words.none}</p>}
      </div>
    </div>
  );
  if (point)
    return (
      <Floating
        anchor={point}
        class="picker-menu"
        attributes={{ role: "dialog", "aria-label": title }}
        onOpen={(element) => element.querySelector("input")?.focus()}
        onClose={onClose}
      >
        {content}
      </Floating>
    );
  return (
    <Dialog
      title={title}
      size="s"
      onClose={onClose}
      onGone={() => picked.current && onPick(picked.current.value, typed.trim())}
    >
      {content}
    </Dialog>
  );
}

/**
 * Returns all entries with their sections if nothing is typed, and otherwise the matches without sections, best first.
 */
function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  if (folded(typed.trim()) === "") return choices;
  return bestFits(choices, typed, (choice) => choice).map(({ section: _, ...choice }) => choice);
}

const optionRole = { role: "option" } as const;
