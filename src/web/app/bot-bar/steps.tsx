/** @jsxImportSource preact */
import { useLayoutEffect } from "preact/hooks";
import type { Editor } from "../editor/index.ts";
import { announce, IconButton } from "../ui/index.ts";
import { flowWords } from "../words/flow.ts";
import { useWords } from "../words/index.ts";

type Step = (back: boolean) => void;

/** Undo and redo, announced to screen readers; also by keys, wherever the focus is, except in a field with an undo of its own. */
export function useSteps(editor: Editor): Step {
  const { bar: words } = useWords(flowWords);
  const step: Step = (back) => {
    const undone = back ? editor.undo() : editor.redo();
    if (!undone) return;
    const who = undone.left[0]?.by?.name ?? words.somebody;
    const done = back ? words.undone(undone.title) : words.redone(undone.title);
    announce(undone.left.length > 0 ? `${done}. ${words.left(undone.left.length, who)}` : done);
  };
  // Before the next key, which acts on the visible state.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isInField = event.target instanceof HTMLElement && event.target.closest("[contenteditable]") !== null;
      if (isInField || (key !== "z" && key !== "y")) return;
      step(key === "z" && !event.shiftKey);
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
  return step;
}

export function StepButtons({ editor, onStep }: { readonly editor: Editor; readonly onStep: Step }) {
  const { bar: words } = useWords(flowWords);
  const [undoTitle, redoTitle] = [editor.undoTitle.value, editor.redoTitle.value];
  const isReadOnly = editor.readOnly.value !== undefined;
  return (
    <>
      <IconButton
        icon="undo-2"
        label={undoTitle === undefined ? words.undo : words.undoOf(undoTitle)}
        keys="Mod Z"
        isDisabled={undoTitle === undefined || isReadOnly}
        onPress={() => onStep(true)}
      />
      <IconButton
        icon="redo-2"
        label={redoTitle === undefined ? words.redo : words.redoOf(redoTitle)}
        keys="Mod Shift Z"
        isDisabled={redoTitle === undefined || isReadOnly}
        onPress={() => onStep(false)}
      />
    </>
  );
}
