import { expect, test } from "bun:test";
import { signal } from "@preact/signals";
import { asDraft } from "../../../../src/web/app/editor/working-copy/replica.ts";
import { textsOf } from "../../../../src/web/app/presence/texts.ts";

const draft = asDraft({
  groups: [{ id: "g", title: "G", blocks: [{ id: "b", type: "text input", options: { labels: { button: "Go" } } }] }],
  edges: [],
  variables: [],
});

test("leaving a field late does not remove the caret of the next field", () => {
  const noted: unknown[] = [];
  const bot = {
    editor: {
      copy: { view: () => draft, base: () => draft, pending: () => [], revision: () => 1 },
      store: { draft: signal(draft) },
      steps: signal([]),
      selection: { focus: signal({ kind: "block", id: "b" }) },
    },
    live: { present: signal([]), noteText: (read: unknown) => void noted.push(read) },
  };
  const fields = textsOf(Object.assign(Object.create(null), bot))("b");
  const [button, placeholder] = [fields(["options", "labels", "button"]), fields(["options", "labels", "placeholder"])];
  const isNoted = () => noted.at(-1) !== undefined;

  button.enter(() => undefined);
  placeholder.enter(() => undefined);
  button.leave();
  expect(isNoted()).toBe(true);
  placeholder.leave();
  expect(isNoted()).toBe(false);
  // A later change is not reported for a field that the author has left.
  const count = noted.length;
  bot.editor.store.draft.value = { ...draft };
  expect(noted).toHaveLength(count);
});
