import { Fragment } from "preact";
import { keyLines } from "../../keys/keymap.ts";
import { letterKeys, setLetterKeys } from "../../keys/letter-keys.ts";
import { Dialog, keysText, Switch } from "../../ui/index.ts";
import canvasMenuWords from "../../words/en/canvas-menu.json";
import keyWords from "../../words/en/key.json";
import { useWords } from "../../words/index.ts";
import "./keys.css";

/** The list of all shortcuts, and the switch for single-letter shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(keyWords);
  const lines = { ...useWords(canvasMenuWords).menu, ...words.list };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Switch label={words.letters} help={words.lettersHelp} isChecked={letterKeys.value} onChange={setLetterKeys} />
      {(["everywhere", "inFlow", "inComparison"] as const).map((part) => (
        <Fragment key={part}>
          <h3 class="keys-part">{words[part]}</h3>
          <dl class="keys-list">
            {[...keyLines(part)].map(([line, keys]) => (
              <div key={line}>
                <dt>{lines[line]}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{keysText(key)}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
    </Dialog>
  );
}
