/** @jsxImportSource preact */
import { letterKeys, setLetterKeys } from "../editor/letter-keys.ts";
import { Dialog, Switch } from "../ui/index.ts";
import { keyWords } from "../words/flow-keys.ts";
import { useWords } from "../words/index.ts";
import "./dialogs.css";

const isApple = typeof navigator !== "undefined" && /Mac|iP/.test(navigator.platform);
const command = isApple ? "⌘" : "Ctrl";

const list = [
  ["arrows", ["↑", "↓", "←", "→"]],
  ["move", ["Alt ↑ ↓ ← →"]],
  ["moveFar", ["Alt Shift ↑ ↓ ← →"]],
  ["enter", ["Enter"]],
  ["escape", ["Esc"]],
  ["follow", ["]", "["]],
  ["connect", ["C"]],
  ["add", ["A"]],
  ["addItem", ["I"]],
  ["remove", ["Del"]],
  ["rename", ["F2"]],
  ["play", ["P"]],
  ["undo", [`${command} Z`]],
  ["redo", [`${command} Shift Z`]],
  ["copy", [`${command} C`, `${command} X`, `${command} V`]],
  ["duplicate", [`${command} D`]],
  ["all", [`${command} A`]],
  ["find", [`${command} F`]],
  ["outline", [`${command} .`]],
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
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
