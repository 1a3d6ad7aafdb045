import { useState } from "preact/hooks";
import type { EditorState } from "prosemirror-state";
import { Button, TextField } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { textWords } from "../words/text.ts";
import { linkAt } from "./editing.ts";

export type LinkFormProps = {
  readonly state: EditorState;
  /** An empty address takes the link away. */
  readonly onSet: (url: string) => void;
  readonly onClose: () => void;
};

/** Asks where a link leads. */
export function LinkForm({ state, onSet, onClose }: LinkFormProps) {
  const words = useWords(textWords);
  const stored: unknown = linkAt(state)?.attrs["url"];
  const [url, setUrl] = useState(typeof stored === "string" ? stored : "");
  return (
    <div class="app-text-link-form">
      <TextField
        name={words.address}
        placeholder={words.address}
        icon="link"
        value={url}
        onInput={setUrl}
        elementRef={(element) => {
          if (element && !element.dataset["seen"]) {
            element.dataset["seen"] = "yes";
            element.focus();
          }
        }}
        attributes={{ autocomplete: "off", spellcheck: false }}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSet(url.trim());
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <Button label={words.apply} kind="primary" onPress={() => onSet(url.trim())} />
      {typeof stored === "string" && <Button label={words.removeLink} onPress={() => onSet("")} />}
    </div>
  );
}
