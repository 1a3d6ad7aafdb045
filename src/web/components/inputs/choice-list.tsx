/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { groupNames, itemsOf, Options, SendSeveral } from "./choice.tsx";
import css from "./choice-list.css" with { type: "text" };
import type { InputKind } from "./parts/input-kind.ts";
import { hasPointer, useLive } from "./parts/live.ts";
import { Filter, matcher } from "./parts/option-filter.tsx";
import { readChosen } from "./parts/read-chosen.ts";

/** A choice with many options or an enabled search. It is a list of limited height with a filter above it. */
export const choiceListInput: InputKind = {
  css,
  View(props) {
    const [search, setSearch] = useState("");
    const isLive = useLive(props.isLive);
    const isVisible = isLive ? matcher(props.input, search) : () => true;
    const count = itemsOf(props.input).filter(({ label }) => isVisible(label)).length;
    // Without a mouse, focusing the filter would open a keyboard that covers the options.
    const isListFirst = isLive && !hasPointer();
    return (
      <fieldset class="choices" onKeyDown={moveByArrow} {...groupNames(props)}>
        {isLive && <Filter {...props} count={count} search={search} onSearch={setSearch} />}
        <div class="option-list" hidden={count === 0} tabIndex={-1} data-focus={isListFirst || undefined}>
          <Options {...props} isVisible={isVisible} />
        </div>
        <SendSeveral {...props} />
      </fieldset>
    );
  },
  read: readChosen,
};

/** Moves from the filter into the list, and through the list, with the arrow keys. */
function moveByArrow(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof Element)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("[type=search], [name=choice]")].filter(
    (stop) => !stop.closest("[hidden]"),
  );
  const next = stops[stops.findIndex((stop) => stop.matches(":focus")) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
