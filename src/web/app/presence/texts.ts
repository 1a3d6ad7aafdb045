import { computed, effect, signal } from "@preact/signals";
import type { Path } from "../../../core/editing/changes/change.ts";
import type { OpenBot, Present } from "../editor/index.ts";
import { blockIdOf } from "../editor/selection.ts";
import type { SharedText, Shown } from "./shared-text.ts";
import {
  betweenTexts,
  keyOfText,
  readText,
  type Selected,
  seenIn,
  type TextPlace,
  type Tracked,
  textIn,
  track,
  unseen,
} from "./text-places.ts";

/** Returns the shared text of an object at the path of a field. */
type TextsOf = (thingId: string) => (path: Path) => SharedText;

const known = new WeakMap<OpenBot, TextsOf>();

/** Returns the shared texts of a bot. Each open bot has only one set of shared texts. */
export function textsOf(bot: OpenBot): TextsOf {
  const texts = known.get(bot) ?? followTexts(bot);
  known.set(bot, texts);
  return texts;
}

type InText = Selected & { readonly one: Present; readonly said: string; readonly place: TextPlace };

function followTexts({ editor, live }: OpenBot): TextsOf {
  const { copy, store } = editor;
  const tracked = signal<ReadonlyMap<string, Tracked>>(new Map());
  /** The field with the author's caret. Only this field can report that the caret has left. */
  let entered: SharedText | undefined;
  let sayAgain = (): void => {};

  effect(() => {
    const present = live.present.value;
    const steps = editor.steps.value;
    // Read without a subscription, because the effect writes this signal and would run again.
    const before = tracked.peek();
    if (present.length + before.size === 0) return;
    tracked.value = track(before, present, { steps, revision: copy.revision(), base: copy.base() });
  });
  effect(() => {
    // Any change, even by another person, may move the caret in units of the service's text.
    for (const one of [store.draft, editor.steps]) void one.value;
    sayAgain();
  });

  const pending = () => ({
    before: copy.base(),
    after: copy.view(),
    changes: copy.pending().flatMap(({ changes }) => changes),
  });
  const people = computed((): ReadonlyMap<string, readonly InText[]> => {
    const all = tracked.value;
    if (all.size === 0) return nobody;
    void store.draft.value;
    const unsaved = pending();
    const seen = live.present.value.flatMap((one): readonly InText[] => {
      const person = all.get(one.id);
      const selected = person && seenIn(person, unsaved);
      return person?.place && selected ? [{ ...selected, one, said: person.said, place: person.place }] : [];
    });
    return Map.groupBy(seen, ({ place }) => keyOfText(place));
  });

  return (thingId) => (path) => {
    const place = () => textIn(copy.view(), thingId, path);
    const inHere = (): readonly InText[] => {
      const all = people.value;
      const here = all.size === 0 ? undefined : place();
      return (here && all.get(keyOfText(here))) ?? [];
    };
    const say = (read: () => Shown | undefined) => {
      const here = blockIdOf(editor.selection.focus.value) === thingId ? place() : undefined;
      const shown = here && read();
      if (!shown) return undefined;
      const inView = betweenTexts(shown, shown.text, readText(copy.view(), here), path);
      const said = inView && unseen(inView, here, pending());
      return said && { path: [...path], ...said, revision: copy.revision() };
    };
    const shared: SharedText = {
      hasOthers: () => inHere().length > 0,
      others: (shown) =>
        inHere().flatMap(({ one: { id, userId, name }, said, place: there, ...selected }) => {
          const here = betweenTexts(selected, readText(copy.view(), there), shown, path);
          return here ? [{ id, userId, name, said, ...here }] : [];
        }),
      enter(read) {
        entered = shared;
        sayAgain = () => live.noteText(() => say(read));
        sayAgain();
      },
      leave() {
        if (entered !== shared) return;
        entered = undefined;
        sayAgain = () => {};
        live.noteText(undefined);
      },
    };
    return shared;
  };
}

const nobody: ReadonlyMap<string, readonly InText[]> = new Map();
