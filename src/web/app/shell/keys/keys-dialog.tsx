/** @jsxImportSource preact */
import { letterKeys, setLetterKeys } from "../../editor/letter-keys.ts";
import { Dialog, keysText, Switch } from "../../ui/index.ts";
import { keyWords } from "../../words/flow-keys.ts";
import { useWords, type WordsOf } from "../../words/index.ts";
import "./keys.css";

/** Those that mean the same on every screen, and those of the flow. */
const everywhere = [
  ["palette", ["Mod K"]],
  ["help", ["?"]],
  ["escape", ["Esc"]],
] as const;

const flow = [
  ["arrows", ["↑", "↓", "←", "→"]],
  ["move", ["Alt ↑ ↓ ← →"]],
  ["moveFar", ["Alt Shift ↑ ↓ ← →"]],
  ["shift", ["Alt ↑ ↓"]],
  ["enter", ["Enter"]],
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
  ["findNext", ["F3", "Shift F3"]],
  ["outline", ["Mod ."]],
  ["pan", ["Space"]],
  ["zoom", ["+", "-"]],
  ["fit", ["0", "1", "2"]],
  ["menu", ["Shift F10"]],
] as const;

/** All keys of the builder, and the switch for those that are single letters. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(keyWords);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Switch label={words.letters} help={words.lettersHelp} isChecked={letterKeys.value} onChange={setLetterKeys} />
      <h3 class="keys-part">{words.everywhere}</h3>
      <KeyList keys={everywhere} />
      <h3 class="keys-part">{words.inFlow}</h3>
      <KeyList keys={flow} />
    </Dialog>
  );
}

type Named = readonly (readonly [name: keyof WordsOf<typeof keyWords>["list"], keys: readonly string[]])[];

function KeyList({ keys: list }: { readonly keys: Named }) {
  const words = useWords(keyWords);
  return (
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
  );
}
