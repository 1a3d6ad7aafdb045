import type { ActState } from "../canvas-acts/state.ts";
import { framesIn, notesIn, renameFrame, writeNote } from "../editor/commands/surroundings.ts";
import type { OpenBot } from "../editor/index.ts";
import type { Beside } from "../editor/selection.ts";
import { Dialog, TextArea, TextField } from "../ui/index.ts";
import canvasActWords from "../words/en/canvas-act.json";
import { useWords } from "../words/index.ts";

type BesideDialogProps = {
  readonly bot: OpenBot;
  readonly state: ActState;
  readonly onClose: () => void;
  /** Called after the dialog has returned the focus to the element that opened it, which may be in another row. */
  readonly onGone: (written: Beside) => void;
};

/** The dialog for the text of a note or the title of a frame, when no canvas is shown. */
export function BesideDialog({ bot: { editor }, state, onClose, onGone }: BesideDialogProps) {
  const words = useWords(canvasActWords);
  const writing = state.writing.value;
  const draft = editor.store.draft.value;
  if (!writing) return null;
  const { kind, id } = writing;
  const isReadOnly = editor.readOnly.value !== undefined;
  const note = kind === "note" ? notesIn(draft).find((one) => one.id === id) : undefined;
  const frame = kind === "frame" ? framesIn(draft).find((one) => one.id === id) : undefined;
  return (
    <Dialog
      title={kind === "note" ? words.note.name : words.frame.name}
      onClose={onClose}
      onGone={() => onGone(writing)}
    >
      {note && (
        <TextArea
          label={words.note.name}
          value={note.text}
          isReadOnly={isReadOnly}
          maxLength={20_000}
          onInput={(text) => void editor.run(writeNote, { noteId: id, text })}
        />
      )}
      {frame && (
        <TextField
          label={words.frame.rename}
          value={frame.title}
          isReadOnly={isReadOnly}
          maxLength={255}
          onInput={(title) => void editor.run(renameFrame, { frameId: id, title })}
        />
      )}
    </Dialog>
  );
}
