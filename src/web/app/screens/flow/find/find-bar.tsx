import { CaseSensitive, Replace, WholeWord } from "lucide";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Hit, type Query, search } from "../../../../../core/editing/references/search.ts";
import { textAt } from "../../../../../core/interpreter/flow.ts";
import { isGroupLocked } from "../../../editor/commands/locks.ts";
import { replaceTexts } from "../../../editor/commands/texts.ts";
import type { OpenBot } from "../../../editor/index.ts";
import { useBlockTypes, useFlowSchemas } from "../../../forms/reading.ts";
import { keysOf } from "../../../keys/keymap.ts";
import { useCommands } from "../../../keys/use-commands.ts";
import { go as goToScreen } from "../../../routing/router.ts";
import { addIcons, announce, Button, Icon, IconButton, TextField } from "../../../ui/index.ts";
import findWords from "../../../words/en/find.json";
import { useWords } from "../../../words/index.ts";
import { placeOfHit, type Surroundings, screenOf, selectPlace } from "./places.ts";
import { type Known, wordsOf } from "./words-of.ts";
import "./find.css";

addIcons({ "case-sensitive": CaseSensitive, replace: Replace, "whole-word": WholeWord });

export type FindBarProps = {
  readonly bot: OpenBot;
  /**
   * The text to search for. A new `turn` is a new request. A request without a text focuses the field and selects its
   * text.
   */
  readonly wanted?: { readonly text: string; readonly turn: number };
  /** The text that was typed before the field was loaded. */
  readonly first: string;
  readonly surroundings?: Surroundings;
  readonly onClose: () => void;
};

/**
 * Finds and replaces text in all texts of a bot. Enter and F3 go to the next match, with Shift to the previous one. F3
 * and Ctrl/⌘+G work independently of the focus.
 */
export function FindBar({ bot, wanted, first, surroundings, onClose }: FindBarProps) {
  const words = useWords(findWords);
  const [query, setQuery] = useState<Query>({ text: (wanted?.text ?? "") + first });
  const [by, setBy] = useState<string>();
  const [at, setAt] = useState(-1);
  const types = useBlockTypes();
  const schemas = useFlowSchemas();
  const { editor } = bot;
  const known = useMemo(() => ({ types, schemas }), [types, schemas]);
  const isWord = useMemo(() => wordsOf(known), [known]);
  const draft = editor.store.draft.value;
  const { hits, count, replaceable, kept } = useMemo(
    () => search(draft, query, { isWord, isKept: (groupId) => isGroupLocked(draft, groupId) }),
    [draft, query, isWord],
  );
  const isReadOnly = editor.readOnly.value !== undefined;
  const input = useRef<HTMLInputElement>(null);
  useCommands("finding", {
    find: () => input.current?.select(),
    findNext: () => go(at + 1),
    findBefore: () => go(at - 1),
  });
  useLayoutEffect(() => {
    const before = document.activeElement;
    input.current?.focus();
    return () => {
      // Returns the focus to the element that had it before, unless the focus has moved elsewhere.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const served = useRef(wanted);
  const select = (): void => {
    input.current?.select();
    input.current?.focus();
  };
  useLayoutEffect(() => {
    if (!wanted || served.current === wanted) return;
    if (wanted.text === "" || wanted.text === query.text) {
      served.current = wanted;
      select();
      // Sets the text first; the next run of the effect focuses and selects it.
    } else look({ text: wanted.text });
  }, [wanted, query]);

  const go = (index: number, among = hits): void => {
    const next = among.length === 0 ? -1 : (index + among.length) % among.length;
    const hit = among[next];
    setAt(next);
    if (hit) selectPlace(editor, hit.target, surroundings);
  };
  const press = (index: number): void => {
    const hit = hits[index];
    const screen = hit && screenOf(bot.id, hit.target, hit.text.path);
    if (screen === undefined) go(index);
    else goToScreen(screen);
  };
  const look = (more: Partial<Query>): void => {
    setQuery({ ...query, ...more });
    setAt(-1);
  };
  /** Describes how many matches are not replaced, and in which locked groups they are. */
  const lockedIn = (all: typeof hits): string => {
    const ids = new Set(
      all.flatMap(({ groupId }) => (groupId !== undefined && isGroupLocked(draft, groupId) ? [groupId] : [])),
    );
    return words.locked({
      count: kept,
      titles: [...ids].map((id) => `“${textAt(editor.store.find.group(id), "title") ?? ""}”`).join(", "),
    });
  };
  const replaceAll = (): void => {
    const done = editor.run(replaceTexts, { query, by: by ?? "", isWord });
    const left = kept > 0 ? ` ${lockedIn(hits)}` : "";
    announce(done.kind === "done" ? `${words.replaced({ count: replaceable })}.${left}` : done.sentence, "polite");
    setAt(-1);
    input.current?.focus();
  };
  const replaceOne = (): void => {
    const only = hits[Math.max(0, at)];
    if (!only) return;
    if (only.isName) {
      go(at + 1);
      return;
    }
    const done = editor.run(replaceTexts, { query, by: by ?? "", only, isWord });
    announce(done.kind === "done" ? words.replaced({ count: 1 }) : done.sentence, "polite");
    if (done.kind === "refused") {
      // A locked match is skipped.
      go(Math.max(0, at) + 1);
      return;
    }
    // The replacement may itself contain the search text.
    const left = search(editor.copy.view(), query, { isWord });
    go(Math.max(0, at) + (left.count === count ? 1 : 0), left.hits);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    go(at + (event.shiftKey ? -1 : 1));
    event.preventDefault();
  };
  const names = count - replaceable - kept;
  const current = hits[at];
  return (
    <search
      class="find"
      data-covers
      aria-label={words.label}
      {...{
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onClose();
        },
      }}
    >
      <div class="find-line">
        <TextField
          label={words.label}
          isLabelHidden
          placeholder={words.label}
          type="search"
          icon="search"
          value={query.text}
          attributes={{ autocomplete: "off", spellcheck: false }}
          elementRef={input}
          onInput={(text) => look({ text })}
          onKeyDown={onKeyDown}
        />
        <IconButton
          icon="case-sensitive"
          label={words.isCaseSensitive}
          isPressed={query.isCaseSensitive ?? false}
          onPress={() => look({ isCaseSensitive: !query.isCaseSensitive })}
        />
        <IconButton
          icon="whole-word"
          label={words.isWholeWord}
          isPressed={query.isWholeWord ?? false}
          onPress={() => look({ isWholeWord: !query.isWholeWord })}
        />
        {!isReadOnly && (
          <IconButton
            icon="replace"
            label={words.showReplace}
            isPressed={by !== undefined}
            onPress={() => setBy(by === undefined ? "" : undefined)}
          />
        )}
        <span class="find-count" role="status">
          {query.text !== "" &&
            (count === 0 ? words.none : at < 0 ? words.hits({ count }) : words.nth({ index: at + 1, count }))}
          {current && <span class="visually-hidden">{`: ${placeOfHit(current, editor, known, words)}`}</span>}
        </span>
        <IconButton
          icon="chevron-up"
          label={words.previous}
          keys={keysOf("findBefore")}
          isDisabled={count === 0}
          onPress={() => go(at - 1)}
        />
        <IconButton
          icon="chevron-down"
          label={words.next}
          keys={keysOf("findNext")}
          isDisabled={count === 0}
          onPress={() => go(at + 1)}
        />
        <IconButton icon="x" label={words.close} onPress={onClose} />
      </div>
      {by !== undefined && !isReadOnly && (
        <form
          class="find-line"
          onSubmit={(event) => {
            event.preventDefault();
            replaceOne();
          }}
        >
          <TextField
            label={words.replaceBy}
            isLabelHidden
            placeholder={words.replaceBy}
            icon="replace"
            value={by}
            attributes={{ autocomplete: "off", spellcheck: false }}
            onInput={setBy}
          />
          <Button label={words.replace} type="submit" isDisabled={replaceable === 0} />
          <Button
            label={words.replaceAll({ count: replaceable })}
            isDisabled={replaceable === 0}
            onPress={replaceAll}
          />
        </form>
      )}
      {kept > 0 && by !== undefined && <p class="find-note">{lockedIn(hits)}</p>}
      {names > 0 && by !== undefined && <p class="find-note">{words.names({ count: names })}</p>}
      {count > 0 && <HitList bot={bot} hits={hits} count={count} at={at} known={known} onGo={press} />}
    </search>
  );
}

type HitListProps = {
  readonly bot: OpenBot;
  readonly hits: readonly Hit[];
  readonly count: number;
  /** The index of the shown match. */
  readonly at: number;
  readonly known: Known;
  /** Called when a match is pressed. Shows the match, possibly on another screen. */
  readonly onGo: (index: number) => void;
};

/** The maximum number of rendered matches around the current one. */
const mostShown = 50;

/** Lists the matches with the text around them. */
function HitList({ bot, hits, count, at, known, onGo }: HitListProps) {
  const words = useWords(findWords);
  const from = Math.max(0, Math.min(at - mostShown / 2, hits.length - mostShown));
  const shown = hits.slice(from, from + mostShown);
  const left = count - from - shown.length;
  return (
    <ol class="find-hits" aria-label={words.list} start={from + 1}>
      {shown.map((hit, index) => (
        <li key={from + index}>
          <button
            type="button"
            class="find-hit"
            aria-current={from + index === at ? "true" : undefined}
            ref={(element) => {
              if (from + index === at) element?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => onGo(from + index)}
          >
            <Excerpt hit={hit} />
            <span class="find-place">
              {hit.isName && <Icon name="braces" size={12} label={words.variableName} />}
              {placeOfHit(hit, bot.editor, known, words)}
              {screenOf(bot.id, hit.target, hit.text.path) !== undefined && <Icon name="arrow-right" size={12} />}
            </span>
          </button>
        </li>
      ))}
      {left > 0 && <li class="find-note">{words.more({ count: left })}</li>}
    </ol>
  );
}

function Excerpt({ hit: { text, start, end } }: { readonly hit: Hit }) {
  const before = text.text.slice(Math.max(0, start - 28), start);
  const after = text.text.slice(end, end + 60);
  return (
    <span class={`find-excerpt ${text.isCode ? "is-code" : ""}`} dir="auto">
      {start > 28 && "…"}
      {before}
      <mark>{text.text.slice(start, end)}</mark>
      {after}
      {text.text.length > end + 60 && "…"}
    </span>
  );
}
