import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { fittingNames } from "../fits.ts";
import { Icon } from "../icon.tsx";
import { Floating } from "./floating.tsx";
import type { Anchor } from "./placing.ts";

type Offered = {
  /** The typed part of the name; undefined while no name is being typed. */
  readonly typed: string | undefined;
  readonly names: readonly string[];
  readonly onTake: (name: string, isNew: boolean) => void;
  readonly onLeave: () => void;
  readonly words: {
    readonly variables: string;
    readonly noVariables: string;
    makeVariable(values: { readonly name: string }): string;
  };
};

const mostNames = 100;

/**
 * Returns the list of names that match the typed letters. A name that does not exist yet gets an entry that creates it.
 * The text keeps the focus and forwards its keys.
 */
export function useOfferedNames({ typed = "", names, onTake, onLeave, words }: Offered) {
  const id = useId();
  const [active, setActive] = useState(0);
  const wish = typed.trim();
  const known = fittingNames(names, wish, (name) => name).slice(0, mostNames);
  const entries = [
    ...known.map((name) => ({ name, isNew: false })),
    ...(wish !== "" && !names.includes(wish) ? [{ name: wish, isNew: true }] : []),
  ];
  const at = Math.min(active, entries.length - 1);
  return {
    id,
    activeId: entries.length > 0 ? `${id}-${at}` : undefined,
    /** Handles a key of the text. Returns whether the key was handled. */
    onKeyDown(event: KeyboardEvent): boolean {
      const chosen = entries[at];
      if (event.key === "Escape") onLeave();
      else if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, entries.length));
      else if (event.key === "ArrowUp") setActive((at - 1 + entries.length) % Math.max(1, entries.length));
      else if ((event.key === "Enter" || event.key === "Tab") && chosen) onTake(chosen.name, chosen.isNew);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    draw: (anchor: Anchor): VNode => (
      <Floating anchor={anchor} mode="manual" attributes={{ role: "listbox", id, "aria-label": words.variables }}>
        {entries.length === 0 && <p class="app-options-none">{words.noVariables}</p>}
        {entries.map(({ name, isNew }, index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            class={`app-option ${index === at ? "is-active" : ""}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Prevents the press from moving the focus out of the text.
            onMouseDown={(event) => {
              event.preventDefault();
              onTake(name, isNew);
            }}
            onPointerMove={() => setActive(index)}
          >
            {isNew && <Icon name="plus" />}
            <span class="app-menu-words">{isNew ? words.makeVariable({ name }) : name}</span>
          </div>
        ))}
      </Floating>
    ),
  };
}
