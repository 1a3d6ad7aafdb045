/** @jsxImportSource preact */
import { letterKeys, setLetterKeys } from "../editor/letter-keys.ts";
import { Dialog, keysText, Switch } from "../ui/index.ts";
import { keyWords } from "../words/flow-keys.ts";
import { useWords } from "../words/index.ts";
import "./dialogs.css";

const list = [
  ["arrows", ["↑", "↓", "←", "→"]],
  ["move", ["Alt ↑ ↓ ← →"]],
  ["moveFar", ["Alt Shift ↑ ↓ ← →"]],
  ["shift", ["Alt ↑ ↓"]],
  ["enter", ["Enter"]],
  ["escape", ["Esc"]],
  ["follow", ["]", "["]],
  ["connect", ["C"]],
  ["add", ["A"]],
  ["addItem", ["I"]],
  ["remove", ["Del"]],
  ["rename", ["F2"]],
  ["play", ["P"]],
  ["undo", ["Mod Z"]],
  ["redo", ["Mod Shift Z"]],
  ["copy", ["Mod C", "Mod X", "Mod V"]],
  ["duplicate", ["Mod D"]],
  ["all", ["Mod A"]],
  ["find", ["Mod F"]],
  ["palette", ["Mod K"]],
  ["outline", ["Mod ."]],
  ["pan", ["Space"]],
  ["zoom", ["+", "-"]],
  ["fit", ["0", "1", "2"]],
  ["menu", ["Shift F10"]],
  ["help", ["?"]],
] as const;

/** All keys of the canvas, and the switch for those that are single letters. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(keyWords);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Switch label={words.letters} help={words.lettersHelp} isChecked={letterKeys.value} onChange={setLetterKeys} />
      <dl class="keys-list">
        {list.map(([name, keys]) => (
          <div key={name}>
            <dt>{words.list[name]}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{keysText(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
