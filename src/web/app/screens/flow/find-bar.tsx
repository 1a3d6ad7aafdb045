/** @jsxImportSource preact */
import { useMemo, useState } from "preact/hooks";
import type { DraftDocument } from "../../../../editing/change.ts";
import { entriesOf, idOf } from "../../../../editing/things.ts";
import { isJsonObject } from "../../../../interpreter/flow.ts";
import type { OpenBot } from "../../editor/index.ts";
import { folded, IconButton, TextField } from "../../ui/index.ts";
import { flowWords } from "../../words/flow.ts";
import { useWords } from "../../words/index.ts";

type Hit = { readonly kind: "group" | "block" | "event"; readonly id: string };

/** Finds what is typed in titles, texts and options; Enter goes to the next place, Shift Enter to the one before. */
export function FindBar({ bot, onClose }: { readonly bot: OpenBot; readonly onClose: () => void }) {
  const { find: words } = useWords(flowWords);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(-1);
  const draft = bot.editor.store.draft.value;
  const hits = useMemo(() => findIn(draft, typed), [draft, typed]);
  const go = (index: number): void => {
    const next = hits.length === 0 ? -1 : (index + hits.length) % hits.length;
    const hit = hits[next];
    setAt(next);
    if (hit) bot.editor.selection.value = hit;
  };
  return (
    <search class="find-bar">
      <TextField
        label={words.label}
        isLabelHidden
        placeholder={words.label}
        type="search"
        icon="search"
        value={typed}
        attributes={{ autofocus: true, autocomplete: "off" }}
        elementRef={(input) => {
          if (input && typed === "" && document.activeElement !== input) input.focus();
        }}
        onInput={(text) => {
          setTyped(text);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(at + (event.shiftKey ? -1 : 1));
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span class="find-count" role="status">
        {typed !== "" &&
          (hits.length === 0
            ? words.none
            : at < 0
              ? words.hits(hits.length)
              : `${at + 1} / ${words.hits(hits.length)}`)}
      </span>
      <IconButton icon="chevron-up" label="↑" size="s" isDisabled={hits.length === 0} onPress={() => go(at - 1)} />
      <IconButton icon="chevron-down" label="↓" size="s" isDisabled={hits.length === 0} onPress={() => go(at + 1)} />
      <IconButton icon="x" label="×" size="s" onPress={onClose} />
    </search>
  );
}

/** Every group, block and event that has the text somewhere, in the order of the flow. */
export function findIn(draft: DraftDocument, typed: string): readonly Hit[] {
  const wanted = folded(typed);
  if (wanted === "") return [];
  const hits: Hit[] = [];
  const add = (kind: Hit["kind"], thing: unknown, value: unknown): void => {
    const id = idOf(thing);
    if (id !== undefined && has(value, wanted)) hits.push({ kind, id });
  };
  for (const event of entriesOf(draft.events)) add("event", event, isJsonObject(event) ? event["options"] : undefined);
  for (const group of entriesOf(draft.groups)) {
    if (!isJsonObject(group)) continue;
    add("group", group, group["title"]);
    for (const block of entriesOf(group["blocks"])) {
      if (isJsonObject(block)) add("block", block, [block["content"], block["options"], block["items"]]);
    }
  }
  return hits;
}

function has(value: unknown, wanted: string): boolean {
  if (typeof value === "string") return folded(value).includes(wanted);
  if (Array.isArray(value)) return value.some((entry) => has(entry, wanted));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => !/[iI]d$/.test(key) && has(inner, wanted));
}
