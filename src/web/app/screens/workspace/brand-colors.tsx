import { useId } from "preact/hooks";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { Button, IconButton, TextField } from "../../ui/index.ts";
import brandWords from "../../words/en/brand.json";
import { useWords } from "../../words/index.ts";

type Color = NonNullable<Brand["colors"]>[number];

type BrandColorsProps = {
  readonly colors: readonly Color[];
  /** The name of the main colour; undefined for the first colour. */
  readonly main: string | undefined;
  readonly onChange: (change: { readonly colors: Color[]; readonly main?: string }) => void;
};

const mostColors = 12;

/** Edits up to twelve named colours and selects the main colour. */
export function BrandColors({ colors, main, onChange }: BrandColorsProps) {
  const words = useWords(brandWords);
  const group = useId();
  const mainIndex = Math.max(
    0,
    colors.findIndex(({ name }) => name === main),
  );
  const write = (next: readonly Color[], index = mainIndex) => {
    const name = next[index]?.name;
    onChange({ colors: [...next], ...(name !== undefined && { main: name }) });
  };
  const change = (at: number, part: Partial<Color>) =>
    write(colors.map((color, index) => (index === at ? { ...color, ...part } : color)));
  const remove = (at: number) =>
    write(
      colors.filter((_, index) => index !== at),
      at < mainIndex ? mainIndex - 1 : at === mainIndex ? 0 : mainIndex,
    );
  return (
    <fieldset class="brand-colors">
      <legend>{words.colors}</legend>
      {colors.map(({ name, value }, index) => (
        <div key={index} class="brand-color">
          <input
            type="color"
            value={value}
            aria-label={words.colorOf({ name })}
            onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
          />
          <TextField
            name={words.colorName}
            value={name}
            error={colors.findIndex((one) => one.name === name) < index ? words.nameTwice : undefined}
            onInput={(next) => change(index, { name: next })}
          />
          <label class="brand-main">
            <input type="radio" name={group} checked={index === mainIndex} onChange={() => write(colors, index)} />
            {words.main}
          </label>
          <IconButton icon="trash-2" size="s" label={words.removeColor({ name })} onPress={() => remove(index)} />
        </div>
      ))}
      {colors.length < mostColors && (
        <Button
          label={words.addColor}
          size="s"
          icon="plus"
          onPress={() => write([...colors, { name: nameFor(colors, words.color), value: "#1f5c4d" }])}
        />
      )}
    </fieldset>
  );
}

/** Returns a name that no other colour has. */
function nameFor(colors: readonly Color[], word: string): string {
  for (let number = colors.length + 1; ; number++) {
    const name = `${word} ${number}`;
    if (colors.every((color) => color.name !== name)) return name;
  }
}
