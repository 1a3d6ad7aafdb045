import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "./icon.tsx";
import "./tabs.css";

export type Tab<Id extends string = string> = {
  readonly id: Id;
  readonly label: string;
  readonly icon?: string | undefined;
  readonly badge?: ComponentChildren;
};

export type TabsProps<Id extends string> = {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** The content of the selected tab. */
  readonly children: ComponentChildren;
};

/** Several panels, of which one is visible. The arrow keys move between the tabs. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next =
      event.key === "Home"
        ? tabs[0]
        : event.key === "End"
          ? tabs.at(-1)
          : step === 0
            ? undefined
            : tabs.at((at + step) % tabs.length);
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div class="app-tabs">
      <div class="app-tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            class="app-tab"
            role="tab"
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.icon !== undefined && <Icon name={tab.icon} />}
            {tab.label}
            {tab.badge}
          </button>
        ))}
      </div>
      <div class="app-tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  );
}
