import { Palette as PaletteIcon, Server } from "lucide";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { currentWorkspace } from "../../frame/frame.tsx";
import { eachOnce, matching, type PaletteEntry } from "../../palette/entries.ts";
import { paletteEntries } from "../../palette/offers.tsx";
import { botHere, match, route } from "../../routing/router.ts";
import { me } from "../../session/session.ts";
import { useWorkspaces } from "../../session/workspaces.ts";
import { addIcons, Icon, keysText } from "../../ui/index.ts";
import paletteWords from "../../words/en/palette.json";
import { useWords } from "../../words/index.ts";
import { useBots } from "./bots.ts";
import { placesOf } from "./places.ts";
import "./palette.css";

addIcons({ palette: PaletteIcon, server: Server });

/**
 * A search field for all actions and pages. The arrow keys select an entry, Enter runs it, and Escape closes the
 * palette.
 */
export function Palette({ first, onClose }: { readonly first: string; readonly onClose: () => void }) {
  const words = useWords(paletteWords);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState(first);
  const [active, setActive] = useState(0);
  const { all, isLoading: isHereLoading, isSearching } = useEntries(typed);
  const found = useMemo(() => {
    const fitting = matching(all, typed);
    // Entries that create something from the typed text are hidden until all other entries are loaded.
    return isHereLoading || isSearching ? fitting.filter(({ onNothing }) => onNothing === undefined) : fitting;
  }, [all, isHereLoading, isSearching, typed]);
  // If an entry was found, the palette does not wait for further bots.
  const isLoading = isHereLoading || (isSearching && found.length === 0);
  const isNothing = !isLoading && !found.some(({ onNothing }) => onNothing === undefined);
  const current = Math.min(active, found.length - 1);
  const chosen = useRef<PaletteEntry | undefined>(undefined);
  useModal(dialog, () => chosen.current?.onPress());
  const run = (entry: PaletteEntry | undefined): void => {
    if (!entry) return;
    chosen.current = entry;
    onClose();
  };
  // The author may press Enter before the entries are loaded. The current entry then runs after loading.
  const isAwaited = useRef(false);
  useEffect(() => {
    if (isAwaited.current && !isLoading) run(found[current]);
  }, [isLoading]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    if (event.key === "ArrowDown") setActive(current >= last ? 0 : current + 1);
    else if (event.key === "ArrowUp") setActive(current <= 0 ? last : current - 1);
    else if (event.key === "PageDown") setActive(Math.min(last, current + 8));
    else if (event.key === "PageUp") setActive(Math.max(0, current - 8));
    else if (event.key === "Enter" && !event.isComposing) {
      if (isLoading) isAwaited.current = true;
      else run(found[current]);
    } else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="command-palette"
      aria-label={words.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        const { currentTarget } = event;
        if (event.target === currentTarget && isOutside(event, currentTarget)) onClose();
      }}
    >
      <div class="command-palette-field">
        <Icon name="search" size={18} />
        <input
          class="command-palette-input"
          type="text"
          role="combobox"
          aria-label={words.label}
          aria-expanded={found.length > 0}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          placeholder={words.label}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          value={typed}
          onInput={(event) => {
            isAwaited.current = false;
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="command-palette-close" aria-label={`Esc: ${words.close}`} onClick={onClose}>
          Esc
        </button>
      </div>
      <div class="command-palette-list" id={`${id}-list`} role="listbox" aria-label={words.title} tabIndex={-1}>
        {[...Map.groupBy(found.entries(), ([, { section }]) => section)].map(([section, entries]) => (
          <div key={section} {...{ role: "group", "aria-labelledby": `${id}-${section}` }}>
            <div class="command-palette-section" id={`${id}-${section}`} {...{ role: "presentation" }}>
              {words.sections[section]}
            </div>
            {entries.map(([index, entry]) => (
              <Option
                key={index}
                id={`${id}-${index}`}
                entry={entry}
                isActive={index === current}
                onTake={() => run(entry)}
                onPoint={() => index !== current && setActive(index)}
              />
            ))}
          </div>
        ))}
      </div>
      <p class="command-palette-count" role="status">
        {isNothing ? (
          words.none({ typed: typed.trim() })
        ) : (
          <span class="visually-hidden">{isLoading ? "" : words.found({ count: found.length })}</span>
        )}
      </p>
    </dialog>
  );
}

type OptionProps = {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  readonly onTake: () => void;
  readonly onPoint: () => void;
};

function Option({ id, entry: { label, detail, icon, keys }, isActive, onTake, onPoint }: OptionProps) {
  return (
    <div
      id={id}
      class={`command-palette-option ${isActive ? "is-active" : ""}`}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      {...{ onClick: onTake, onPointerMove: onPoint }}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
    >
      <Icon name={icon ?? "arrow-right"} size={16} />
      <span class="command-palette-label" dir="auto">
        {label}
      </span>
      {detail !== undefined && detail !== "" && (
        <span class="command-palette-detail" dir="auto">
          {detail}
        </span>
      )}
      {keys !== undefined && <kbd class="command-palette-keys">{keysText(keys)}</kbd>}
    </div>
  );
}

/**
 * Returns the entries that are available when the palette opens. Bots and workspaces are added after they are loaded.
 */
function useEntries(typed: string): {
  readonly all: readonly PaletteEntry[];
  readonly isLoading: boolean;
  readonly isSearching: boolean;
} {
  const words = useWords();
  const palette = useWords(paletteWords);
  const { value: workspaces = none } = useWorkspaces();
  const { path } = route.value;
  const botId = match("/bots/:botId/*", path)?.["botId"] ?? match("/bots/:botId", path)?.["botId"];
  // The bot's bar provides the bot, because a separate request would load the whole flow.
  const bot = botHere.value?.botId === botId ? botHere.value : undefined;
  const named = bot?.workspaceId ?? match("/w/:workspaceId/*", path)?.["workspaceId"];
  const workspaceId = named ?? (botId === undefined ? currentWorkspace(workspaces) : undefined);
  const { bots, isSearching } = useBots(workspaceId, typed);
  const live = bot?.live;
  const isAdministrator = me.value?.isAdministrator ?? false;
  const { here, isLoading } = useHere();
  const all = useMemo(
    () =>
      eachOnce([...here, ...placesOf({ words, palette, workspaceId, botId, live, workspaces, bots, isAdministrator })]),
    [here, words, palette, workspaceId, botId, live, workspaces, bots, isAdministrator],
  );
  return { all, isLoading, isSearching };
}

/**
 * Returns the entries that parts of this page add, in their order. Entries that are loaded later appear in their own
 * positions.
 */
function useHere(): { readonly here: readonly PaletteEntry[]; readonly isLoading: boolean } {
  const added = useMemo(paletteEntries, []);
  const [lists, setLists] = useState(() => added.map((list) => ("then" in list ? undefined : list)));
  useEffect(() => {
    let isOpen = true;
    for (const [index, list] of added.entries()) {
      if (!("then" in list)) continue;
      const take = (entries: readonly PaletteEntry[]) => {
        if (isOpen) setLists((known) => known.with(index, entries));
      };
      // If a part cannot be loaded, for example while offline, its entries are omitted.
      list.then(take, () => take(none));
    }
    return () => {
      isOpen = false;
    };
  }, [added]);
  const here = useMemo(() => lists.flatMap((list) => list ?? none), [lists]);
  return { here, isLoading: lists.includes(undefined) };
}

const none: readonly never[] = [];

/**
 * Shows the dialog while the component is mounted. Afterwards, the focus returns to the page, and then `after` is
 * called, which may move the focus. All of this happens before the next key event.
 */
function useModal(element: { readonly current: HTMLDialogElement | null }, after: () => void): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector("input")?.focus();
    return () => {
      dialog?.close();
      // If no element had the focus, or the element was removed, the focus moves to the main part of the page.
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      (isThere ? before : document.getElementById("main"))?.focus({ preventScroll: true });
      queueMicrotask(after);
    };
  }, []);
}

function isOutside({ clientX, clientY }: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
