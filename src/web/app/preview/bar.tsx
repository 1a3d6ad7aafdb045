import { useState } from "preact/hooks";
import { isFollowing, setFollowing } from "../session/following.ts";
import { announce, Button, IconButton, Menu, type MenuItem, Popover, Select, TextField } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import type { PreviewedBot } from "./bot.ts";
import type { StartPlace } from "./service.ts";
import type { Kind, Size } from "./stage.tsx";

export type Look = { readonly kind: Kind; readonly size: Size };

type BarProps = {
  readonly bot: PreviewedBot;
  readonly from: StartPlace | undefined;
  /** The selected position in the editor. */
  readonly here: StartPlace | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly look: Look;
  readonly isBusy: boolean;
  readonly mayRepeat: boolean;
  readonly onStart: (from: StartPlace | undefined, variables: Readonly<Record<string, string>>) => void;
  readonly onAgain: () => void;
  /** Stores the chat as a test; absent if this is not possible. */
  readonly onKeep: (() => void) | undefined;
  /** Whether a canvas beside the preview shows the block at which the chat waits. */
  readonly isBesideFlow: boolean;
  readonly onLook: (look: Look) => void;
};

/** The controls of a preview: start at any position, repeat, and change the displayed size. */
export function Bar({
  bot,
  from,
  here,
  variables,
  look,
  isBusy,
  mayRepeat,
  onStart,
  onAgain,
  onKeep,
  isBesideFlow,
  onLook,
}: BarProps) {
  const words = useWords(previewWords);
  const places = (): readonly MenuItem[] => [
    {
      label: words.fromStart,
      icon: "play",
      isChecked: from === undefined,
      onPress: () => onStart(undefined, variables),
    },
    ...(here ? [{ label: words.fromHere, icon: "arrow-right", onPress: () => onStart(here, variables) }] : []),
    { kind: "line" },
    ...bot.places().map(({ name, place }) => ({
      label: name,
      isChecked: JSON.stringify(place) === JSON.stringify(from),
      onPress: () => onStart(place, variables),
    })),
  ];
  const looks = (): readonly MenuItem[] => [
    { kind: "title", label: words.kind },
    ...kindNames.map((kind) => ({
      label: words.kinds[kind],
      isChecked: kind === look.kind,
      onPress: () => onLook({ ...look, kind }),
    })),
    { kind: "line" },
    { kind: "title", label: words.size },
    ...sizeNames.map((size) => ({
      label: words[size],
      isChecked: size === look.size,
      onPress: () => onLook({ ...look, size }),
    })),
  ];
  return (
    <div class="preview-bar" role="toolbar" aria-label={words.title}>
      <IconButton icon="rotate-ccw" label={words.restart} busy={isBusy} onPress={() => onStart(from, variables)} />
      <Menu label={words.from} size="s" kind="quiet" items={places} />
      <Given bot={bot} variables={variables} onStart={(given) => onStart(from, given)} />
      <span class="preview-bar-space" />
      {isBesideFlow && (
        <IconButton
          class="preview-follow"
          icon="locate"
          label={words.follow}
          isPressed={isFollowing.value}
          onPress={() => {
            setFollowing(!isFollowing.value);
            announce(isFollowing.value ? words.followsNow : words.followsNoMore);
          }}
        />
      )}
      {onKeep && (
        <IconButton icon="flask-conical" label={words.keepTest} isDisabled={!mayRepeat || isBusy} onPress={onKeep} />
      )}
      <Button
        label={words.again}
        size="s"
        icon="refresh-cw"
        class="preview-again"
        isDisabled={!mayRepeat || isBusy}
        onPress={onAgain}
        attributes={{ title: words.againHint, "aria-label": words.again }}
      />
      <Menu
        label={`${words.kind}: ${words.kinds[look.kind]}, ${words[look.size]}`}
        icon="monitor"
        isIconOnly
        kind="quiet"
        items={looks}
      />
    </div>
  );
}

const kindNames = ["page", "bubble", "popup"] as const;
const sizeNames = ["phone", "wide"] as const;

type GivenProps = {
  readonly bot: PreviewedBot;
  readonly variables: Readonly<Record<string, string>>;
  readonly onStart: (variables: Readonly<Record<string, string>>) => void;
};

/** The initial values of variables. */
function Given({ bot, variables, onStart }: GivenProps) {
  const words = useWords(previewWords);
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>(Object.entries(variables));
  const change = (index: number, row: readonly [string, string]) =>
    setRows(rows.map((one, at) => (at === index ? row : one)));
  const count = Object.keys(variables).length;
  return (
    <Popover label={count === 0 ? words.given : `${words.given} (${count})`} icon="pencil" isIconOnly kind="quiet">
      {(close) => (
        <form
          class="preview-given"
          onSubmit={(event) => {
            event.preventDefault();
            close();
            onStart(Object.fromEntries(rows.filter(([name]) => name !== "")));
          }}
        >
          <p class="preview-hint">{words.givenHint}</p>
          {rows.map(([name, value], index) => (
            <div key={index} class="preview-given-row">
              <Select
                name={words.name}
                value={name}
                options={[
                  { value: "", label: words.name },
                  ...bot.prefillableNames().map((one) => ({ value: one, label: one })),
                ]}
                onChange={(next) => change(index, [next, value])}
              />
              <TextField name={words.value} value={value} onInput={(next) => change(index, [name, next])} />
              <IconButton
                icon="x"
                size="s"
                label={words.remove({ name })}
                onPress={() => setRows(rows.filter((_, at) => at !== index))}
              />
            </div>
          ))}
          <div class="preview-variable-actions">
            <Button label={words.add} size="s" icon="plus" onPress={() => setRows([...rows, ["", ""]])} />
            <Button label={words.start} size="s" kind="primary" type="submit" />
          </div>
        </form>
      )}
    </Popover>
  );
}
