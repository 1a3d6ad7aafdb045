import { ConfirmDialog } from "../ui/index.ts";
import pastingWords from "../words/en/pasting.json";
import { useWords } from "../words/index.ts";

export type TextDialogProps = {
  readonly text: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks whether pasted text that is not a part of a flow should become a message of the bot. */
export function TextDialog({ text, onConfirm, onClose }: TextDialogProps) {
  const words = useWords(pastingWords);
  const shown = text.length > 300 ? `${text.slice(0, 300)} …` : text;
  return (
    <ConfirmDialog
      title={words.text}
      text={shown.split("\n").map((line, index) => <div key={index}>{line}</div>)}
      action={words.addText}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
