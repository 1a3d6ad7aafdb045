import { Braces, Link, List, ListOrdered } from "lucide";
import { useState } from "preact/hooks";
import type { Command, EditorState } from "prosemirror-state";
import { addIcons, Button, IconButton, TextField } from "../ui/index.ts";
import textWords from "../words/en/text.json";
import { useWords } from "../words/index.ts";
import { hasFormat, linkAt, listAround, toggleFormat, toggleList } from "./editing.ts";
import { editedMarks, formats } from "./marks.ts";

addIcons({
  braces: Braces,
  link: Link,
  list: List,
  "list-ordered": ListOrdered,
  ...Object.fromEntries(formats.map((name) => [name, editedMarks[name].icon])),
});

export type ToolbarProps = {
  readonly elementRef: { current: HTMLDivElement | null };
  readonly state: EditorState;
  readonly run: (command: Command) => void;
  readonly onLink: () => void;
  readonly onVariable: () => void;
  readonly onLeave: () => void;
};

/** The toolbar of the editor. It is one tab stop, and the arrow keys move within it. */
export function Toolbar({ elementRef, state, run, onLink, onVariable, onLeave }: ToolbarProps) {
  const words = useWords(textWords);
  const [active, setActive] = useState(0);
  const list = listAround(state);
  const tools = [
    ...formats.map((name) => ({
      icon: name,
      label: words[name],
      isPressed: hasFormat(state, name),
      act: () => run(toggleFormat(name)),
    })),
    { icon: "link", label: words.link, isPressed: linkAt(state) !== undefined, act: onLink },
    { icon: "list", label: words.ul, isPressed: list === "ul", act: () => run(toggleList("ul")) },
    { icon: "list-ordered", label: words.ol, isPressed: list === "ol", act: () => run(toggleList("ol")) },
    { icon: "braces", label: words.variable, isPressed: undefined, act: onVariable },
  ];
  const focusOn = (index: number) => {
    const next = (index + tools.length) % tools.length;
    setActive(next);
    elementRef.current?.querySelectorAll<HTMLElement>("button").item(next).focus();
  };
  return (
    <div
      ref={elementRef}
      class="app-text-toolbar"
      role="toolbar"
      tabIndex={-1}
      aria-label={words.toolbar}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") focusOn(active + 1);
        else if (event.key === "ArrowLeft") focusOn(active - 1);
        else if (event.key === "Home") focusOn(0);
        else if (event.key === "End") focusOn(tools.length - 1);
        else if (event.key === "Escape") onLeave();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      // Prevents the press from changing the selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      {tools.map(({ icon, label, isPressed, act }, index) => (
        <IconButton
          key={icon}
          icon={icon}
          size="s"
          label={label}
          isPressed={isPressed}
          onPress={() => {
            setActive(index);
            act();
          }}
          attributes={{ tabindex: index === active ? "0" : "-1" }}
        />
      ))}
    </div>
  );
}

export type LinkFormProps = {
  readonly state: EditorState;
  /** Called with the URL. An empty URL removes the link. */
  readonly onSet: (url: string) => void;
  readonly onClose: () => void;
};

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
