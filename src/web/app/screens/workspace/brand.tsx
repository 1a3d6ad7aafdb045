import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { shownMain, styleNames, themeOfStyle } from "../../../../core/theme/styles.ts";
import { ApiFailure } from "../../api/index.ts";
import { FontChoice, type FontValue } from "../../page-parts/font-choice.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { SmallPage } from "../../page-parts/small-page.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { useSubmit } from "../../page-parts/submit.ts";
import { readBrand, type SeenBrand, saveBrand, useBrand } from "../../session/brands.ts";
import { Banner, Button, Field, Form, TextArea, TextField, toast, useField } from "../../ui/index.ts";
import brandWords from "../../words/en/brand.json";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import { BrandColors } from "./brand-colors.tsx";
import { BrandPicture } from "./brand-picture.tsx";
import "./brand.css";

/**
 * Edits the brand of a workspace, including its tone, in one form that is saved as a whole. Bots adopt the changes when
 * their authors decide to.
 */
export function BrandScreen({ workspaceId }: { readonly workspaceId: string }) {
  const query = useBrand(workspaceId);
  return <QueryState query={query}>{(first) => <BrandForm workspaceId={workspaceId} first={first} />}</QueryState>;
}

/** The default main colour for a style if the brand has none. */
const usualMain = "#1f5c4d";

type BrandFormProps = { readonly workspaceId: string; readonly first: SeenBrand };

function BrandForm({ workspaceId, first }: BrandFormProps) {
  const words = useWords(brandWords);
  const shared = useWords();
  const ofTheme = useWords(themeWords);
  const [brand, setBrand] = useState<Brand>(first.brand ?? {});
  const [hasChangedElsewhere, setChangedElsewhere] = useState(false);
  // The version with which this form began, so that it never overwrites later changes of other people.
  const seen = useRef(first);
  const { isBusy, error, submit } = useSubmit();
  // Enter in a field changes the value and submits the form before the next render, so this ref contains the latest
  // values.
  const latest = useRef(brand);
  /** The value that last filled the form. While `latest` is the same object, the author has changed nothing. */
  const untouched = useRef(brand);
  const write = (next: Brand) => {
    latest.current = next;
    setBrand(next);
  };
  const set = (change: Partial<Brand>) => write({ ...latest.current, ...change });
  const main = (brand.colors?.find(({ name }) => name === brand.main) ?? brand.colors?.[0])?.value ?? usualMain;
  const shown = shownMain("clear", main);
  const fill = (found: SeenBrand) => {
    write(found.brand ?? {});
    untouched.current = latest.current;
    seen.current = found;
    setChangedElsewhere(false);
  };
  // A newer response replaces the cached one in the form, unless the author has begun to edit.
  useLayoutEffect(() => {
    if (first.tag !== seen.current.tag && latest.current === untouched.current) fill(first);
  }, [first]);
  const send = async (tag: string) => {
    const sent = latest.current;
    seen.current = await saveBrand(workspaceId, { brand: withoutEmpty(sent), tag });
    untouched.current = sent;
    setChangedElsewhere(false);
    toast(shared.saved);
  };
  const save = () =>
    submit({}, async () => {
      try {
        await send(seen.current.tag);
      } catch (cause) {
        if (!(cause instanceof ApiFailure) || cause.code !== "precondition.failed") throw cause;
        // The version belongs to the whole workspace. If others have changed something else, such as the name, the
        // brand can still be saved.
        const theirs = await readBrand(workspaceId);
        if (isSame(theirs.brand, seen.current.brand)) await send(theirs.tag);
        else setChangedElsewhere(true);
      }
    });
  const takeTheirs = async () => fill(await readBrand(workspaceId));
  return (
    <Part title={words.title} text={words.text}>
      {hasChangedElsewhere && (
        <Banner
          tone="warning"
          text={words.changedElsewhere}
          action={<Button label={words.takeTheirs} size="s" onPress={() => void takeTheirs()} />}
          isAlert
        />
      )}
      <Form class="app-part-form brand-form" onSubmit={save}>
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={brand.name ?? ""}
          error={error}
          onInput={(name) => set({ name })}
        />
        <div class="brand-pictures">
          {(["light", "dark"] as const).map((ground) => (
            <BrandPicture
              key={ground}
              workspaceId={workspaceId}
              label={ground === "light" ? words.logo : words.logoDark}
              ground={ground}
              value={brand.logo?.[ground] ?? ""}
              onChange={(address) => set({ logo: { ...latest.current.logo, [ground]: address } })}
            />
          ))}
          <BrandPicture
            workspaceId={workspaceId}
            label={words.avatar}
            ground="light"
            value={brand.avatar ?? ""}
            onChange={(avatar) => set({ avatar })}
          />
        </div>
        <BrandColors colors={brand.colors ?? []} main={brand.main} onChange={set} />
        <p class="brand-contrast" role="status">
          {shown === main.toLowerCase() ? ofTheme.contrastHolds : ofTheme.contrastMoved({ color: shown })}
        </p>
        <FontChoice
          workspaceId={workspaceId}
          value={brand.font}
          isDisabled={false}
          onChange={(font) => write(withFontOf(latest.current, font))}
        />
        <Field label={words.roundness} help={words.roundnessHelp}>
          <Roundness
            value={brand.roundness}
            onChange={(roundness) => write(withRoundness(latest.current, roundness))}
          />
        </Field>
        <TextArea
          label={words.tone}
          help={words.toneHelp}
          value={brand.tone ?? ""}
          onInput={(tone) => set({ tone })}
          attributes={{ maxlength: 500 }}
        />
        <ul class="brand-styles" aria-label={words.styles}>
          {styleNames.map((style) => (
            <li key={style}>
              <SmallPage
                theme={withFont(themeOfStyle(style, main, { roundness: brand.roundness }), brand)}
                says={ofTheme.sampleSays}
                answers={ofTheme.sampleAnswers}
              />
              <span>{ofTheme.styles[style]}</span>
            </li>
          ))}
        </ul>
        <Button label={shared.save} kind="primary" type="submit" busy={isBusy} />
      </Form>
    </Part>
  );
}

type RoundnessProps = {
  readonly value: number | undefined;
  /** Called with undefined for the default roundness of each style. */
  readonly onChange: (value: number | undefined) => void;
};

function Roundness({ value, onChange }: RoundnessProps) {
  const words = useWords(brandWords);
  const field = useField();
  return (
    <span class="brand-roundness">
      <input
        {...field}
        type="range"
        min="0"
        max="40"
        value={value ?? 16}
        aria-valuetext={value === undefined ? words.asStyle : words.pixels({ count: value })}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <span>{value === undefined ? words.asStyle : words.pixels({ count: value })}</span>
      {value !== undefined && (
        <Button label={words.asStyle} size="s" kind="quiet" onPress={() => onChange(undefined)} />
      )}
    </span>
  );
}

function withRoundness({ roundness: _, ...brand }: Brand, roundness: number | undefined): Brand {
  return { ...brand, ...(roundness !== undefined && { roundness }) };
}

function withFontOf({ font: _, ...brand }: Brand, font: FontValue | undefined): Brand {
  return { ...brand, ...(font && { font: { ...font } }) };
}

function withFont(theme: ReturnType<typeof themeOfStyle>, { font }: Brand) {
  return { ...theme, general: { ...theme.general, ...(font && { font }) } };
}

function isSame(one: Brand | null, other: Brand | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the brand without empty fields; null if no field remains. */
function withoutEmpty({ logo, colors = [], ...brand }: Brand): Brand | null {
  const pictures = Object.entries(logo ?? {}).filter(([, address]) => address !== "");
  const { main, ...others } = brand;
  const kept: Brand = {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== "" && value !== undefined)),
    ...(pictures.length > 0 && { logo: Object.fromEntries(pictures) }),
    ...(colors.length > 0 && { colors }),
    ...(main !== undefined && colors.some(({ name }) => name === main) && { main }),
  };
  return Object.keys(kept).length === 0 ? null : kept;
}
