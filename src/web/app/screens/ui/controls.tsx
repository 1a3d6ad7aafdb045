import { useState } from "preact/hooks";
import {
  Button,
  Checkbox,
  Combobox,
  ConfirmDialog,
  Dialog,
  IconButton,
  Menu,
  Popover,
  Segments,
  Select,
  Switch,
  TextArea,
  TextField,
  toast,
} from "../../ui/index.ts";
import { Part } from "./part.tsx";

const fruits = ["Apple", "Banana", "Cherry", "Date", "Elderberry", "Fig", "Grape"].map((label) => ({
  value: label.toLowerCase(),
  label,
  detail: `A ${label.toLowerCase()}`,
}));

/** Shows buttons, fields, menus and dialogs in all their states. */
export function Controls() {
  return (
    <>
      <Part title="Buttons">
        {(["m", "s"] as const).map((size) => (
          <div key={size} class="design-row">
            {(["primary", "plain", "quiet", "danger"] as const).map((kind) => (
              <Button label={kind} key={kind} kind={kind} size={size} icon="plus" />
            ))}
            <Button label="Not now" size={size} isDisabled />
            <Button label="At work" size={size} kind="primary" busy />
            <IconButton size={size} icon="settings" label={`Settings ${size}`} />
            <IconButton size={size} icon="eye" label={`Shown ${size}`} isPressed />
          </div>
        ))}
      </Part>
      <Fields />
      <Choices />
      <Openers />
    </>
  );
}

function Fields() {
  const [text, setText] = useState("Ada Lovelace");
  const [long, setLong] = useState("One line\nand another one");
  const [fruit, setFruit] = useState<string | undefined>("cherry");
  const [own, setOwn] = useState<string>();
  const [options, setOptions] = useState(fruits);
  return (
    <Part title="Fields">
      <div class="design-grid">
        <TextField label="Name" help="As others see it." value={text} onInput={setText} />
        <TextField label="With an error" error="Please fill this in." value="" />
        <TextField label="Only to read" value="parley_3vJq…" isReadOnly isMono />
        <TextField label="Search" icon="search" type="search" placeholder="Search bots" value="" />
        <Select
          label="Select"
          aside="optional"
          value="b"
          options={[
            { value: "a", label: "First" },
            { value: "b", label: "Second" },
          ]}
          onChange={() => {}}
        />
        <Combobox label="Combobox" noneLabel="Nothing found" value={fruit} options={fruits} onChange={setFruit} />
        <Combobox
          label="Combobox that makes new ones"
          noneLabel="Nothing found"
          value={own}
          options={options}
          onChange={setOwn}
          createLabel={(name) => `Make “${name}”`}
          onCreate={(label) => {
            setOptions([...options, { value: label, label, detail: "New" }]);
            return label;
          }}
        />
        <TextArea label="Text area" value={long} onInput={setLong} />
      </div>
    </Part>
  );
}

function Choices() {
  const [isOn, setOn] = useState(true);
  const [size, setSize] = useState<"s" | "m" | "l">("m");
  return (
    <Part title="Choices">
      <div class="design-row">
        <Checkbox label="Ticked" isChecked={isOn} onChange={setOn} />
        <Checkbox label="Not ticked" help="With help below" isChecked={!isOn} onChange={(next) => setOn(!next)} />
        <Checkbox label="Some" isChecked={false} isMixed onChange={() => {}} />
        <Checkbox label="Not now" isChecked isDisabled onChange={() => {}} />
        <Switch label="On" isChecked={isOn} onChange={setOn} />
        <Switch label="Off" isChecked={!isOn} onChange={(next) => setOn(!next)} />
        <Segments
          label="Size"
          value={size}
          options={[
            { value: "s", label: "Small" },
            { value: "m", label: "Medium" },
            { value: "l", label: "Large" },
          ]}
          onChange={setSize}
        />
      </div>
    </Part>
  );
}

function Openers() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "sheet">();
  const close = () => setOpen(undefined);
  return (
    <Part title="Menus, popovers, dialogs">
      <div class="design-row">
        <Menu
          label="Menu"
          items={() => [
            { kind: "title", label: "This bot" },
            { label: "Rename", icon: "pencil", keys: "F2", onPress: () => toast("Renamed") },
            {
              label: "Duplicate",
              icon: "copy",
              hint: "With its theme and settings",
              onPress: () => toast("Duplicated"),
            },
            { label: "Not now", icon: "lock", isDisabled: true, onPress: () => {} },
            { label: "Ticked", isChecked: true, onPress: () => {} },
            { kind: "line" },
            {
              label: "Delete",
              icon: "trash-2",
              isDanger: true,
              onPress: () => toast("Deleted", { label: "Undo", onPress: () => toast("Back") }),
            },
          ]}
        />
        <Menu isIconOnly kind="quiet" label="More" items={() => [{ label: "Open", onPress: () => {} }]} />
        <Popover label="Popover">{(leave) => <Button label="Close it" onPress={leave} />}</Popover>
        <Button label="Dialog" onPress={() => setOpen("dialog")} />
        <Button label="Confirm" onPress={() => setOpen("confirm")} />
        <Button label="Sheet" onPress={() => setOpen("sheet")} />
        <Button label="Toast" onPress={() => toast("Bot archived", { label: "Undo", onPress: () => {} })} />
      </div>
      {open === "dialog" && (
        <Dialog
          title="New folder"
          text="Folders hold bots and folders."
          onClose={close}
          actions={<Button label="Done" onPress={close} />}
        >
          <TextField label="Name of the folder" value="" />
        </Dialog>
      )}
      {open === "sheet" && (
        <Dialog shape="sheet" title="Sheet" onClose={close}>
          From the side.
        </Dialog>
      )}
      {open === "confirm" && (
        <ConfirmDialog
          title="Erase “Survey” for good?"
          text="With all its results. This cannot be undone."
          action="Erase"
          isDanger
          typed="Survey"
          onConfirm={() => {}}
          onClose={close}
        />
      )}
    </Part>
  );
}
