import type { Editor } from "../editor/index.ts";
import { keysOf } from "../keys/keymap.ts";
import { useCommands } from "../keys/use-commands.ts";
import { announce, IconButton } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";

type Step = (back: boolean) => void;

/**
 * Returns a function that undoes or redoes a step and announces the step to screen readers. The keyboard shortcuts work
 * everywhere except in editable rich text.
 */
export function useSteps(editor: Editor): Step {
  const { bar: words } = useWords(flowWords);
  const step: Step = (back) => {
    const undone = back ? editor.undo() : editor.redo();
    if (!undone) return;
    const who = undone.left[0]?.by?.name ?? words.somebody;
    const done = back ? words.undone({ title: undone.title }) : words.redone({ title: undone.title });
    announce(undone.left.length > 0 ? `${done}. ${words.left({ count: undone.left.length, who })}` : done);
  };
  useCommands(
    "bot",
    { undo: () => step(true), redo: () => step(false) },
    ({ target }) => target instanceof HTMLElement && target.closest("[contenteditable]") !== null,
  );
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
        label={undoTitle === undefined ? words.undo : words.undoOf({ title: undoTitle })}
        keys={keysOf("undo")}
        isDisabled={undoTitle === undefined || isReadOnly}
        onPress={() => onStep(true)}
      />
      <IconButton
        icon="redo-2"
        label={redoTitle === undefined ? words.redo : words.redoOf({ title: redoTitle })}
        keys={keysOf("redo")}
        isDisabled={redoTitle === undefined || isReadOnly}
        onPress={() => onStep(false)}
      />
    </>
  );
}
