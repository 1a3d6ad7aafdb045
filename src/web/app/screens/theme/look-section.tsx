import { useComputed } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import { shownMain, styleNames, themeOfStyle } from "../../../../core/theme/styles.ts";
import { partOf, replaceTheme, setInPart } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { valueAt } from "../../forms/index.ts";
import { FontChoice } from "../../page-parts/font-choice.tsx";
import { SmallPage } from "../../page-parts/small-page.tsx";
import { useBrand } from "../../session/brands.ts";
import { toast } from "../../ui/index.ts";
import fontWords from "../../words/en/font.json";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import { followedBrand, withBrand, withoutBrand } from "./brand-look.ts";
import { BrandPart } from "./brand-part.tsx";
import { defaultMain, mainOf, styleOf, unreadMainOf, withMain, withStyle } from "./look.ts";
import "./look-section.css";

/** The selected colour before it was adjusted for readability, and the resulting main colour of the theme. */
type Wanted = { readonly color: string; readonly main: string | undefined };

/**
 * Applies a complete style with one press, and keeps the fields that no style sets. Each style is shown as a thumbnail
 * with the main colour.
 */
export function LookSection({ bot }: { readonly bot: OpenBot }) {
  const { editor } = bot;
  const words = useWords(themeWords);
  const ofFonts = useWords(fontWords);
  const id = useId();
  const { workspaceId } = bot.bot.value;
  const { value: seenBrand } = useBrand(workspaceId);
  const brand = seenBrand?.brand ?? null;
  const theme = useComputed(() => partOf(editor.store.draft.value, "theme")).value;
  const version = useComputed(() => editor.store.draft.value.version).value;
  const style = styleOf(theme);
  const main = mainOf(theme, style);
  const unread = unreadMainOf(theme, style);
  const isFollowing = brand !== null && followedBrand(theme) !== undefined;
  const [wanted, setWanted] = useState<Wanted>();
  // After an undo or a change by another person, the theme's own colour is used.
  const isWanted = wanted !== undefined && wanted.main === main;
  const color = (isWanted ? wanted.color : main) ?? defaultMain(version);
  const isReadOnly = editor.readOnly.value !== undefined;
  const replace = (next: JsonObject, from: string): boolean => {
    const done = editor.run(replaceTheme, { theme: next, from });
    if (done.kind === "refused") toast(done.sentence);
    return done.kind !== "refused";
  };
  const take = (next: JsonObject, { chosen, from }: { readonly chosen: string; readonly from: string }): void => {
    if (replace(next, from)) setWanted({ color: chosen, main: mainOf(next, styleOf(next)) });
  };
  // A manually selected colour no longer belongs to the brand.
  const takeColor = (value: string) =>
    take(withoutBrand(withMain(theme, value)), { chosen: value, from: words.mainColor });
  const shown = shownMain(style ?? "clear", color);
  // The contrast of manually coloured texts cannot be determined from the main colour.
  const isJudged = style !== undefined || main === undefined;
  const shape = isFollowing ? { roundness: brand.roundness } : {};
  return (
    <div class="styles">
      {/* Rendered only after the brand has been loaded. */}
      {seenBrand && <BrandPart bot={bot} brand={brand} onTake={replace} />}
      <div class="styles-main">
        <label for={id}>{words.mainColor}</label>
        <input
          id={id}
          type="color"
          class={unread === undefined ? "" : "is-unread"}
          value={color}
          disabled={isReadOnly}
          onChange={({ currentTarget: { value } }) => takeColor(value)}
        />
        {unread === undefined && <code>{color}</code>}
        {brand?.colors && brand.colors.length > 0 && (
          <fieldset class="styles-colors">
            <legend class="visually-hidden">{words.brandColors}</legend>
            {brand.colors.map(({ name, value }) => (
              <button
                key={name}
                type="button"
                class="styles-color"
                style={{ backgroundColor: value }}
                title={name}
                aria-label={words.brandColor({ name })}
                disabled={isReadOnly}
                onClick={() => takeColor(value)}
              />
            ))}
          </fieldset>
        )}
      </div>
      <p class="look-hint" role="status">
        {unread !== undefined
          ? words.mainUnread({ stored: unread, shown: color })
          : shown !== color
            ? (isJudged || isWanted) && words.contrastMoved({ color: shown })
            : isJudged && words.contrastHolds}
      </p>
      <fieldset class="styles-list" disabled={isReadOnly}>
        <legend>{words.style}</legend>
        {styleNames.map((one) => (
          <label key={one} class="styles-one">
            <input
              type="radio"
              name={`${id}-style`}
              class="visually-hidden"
              checked={one === style}
              onChange={() =>
                take(isFollowing ? withBrand(theme, one, brand) : withStyle(theme, one, color), {
                  chosen: color,
                  from: words.styles[one],
                })
              }
            />
            <SmallPage theme={themeOfStyle(one, color, shape)} says={words.sampleSays} answers={words.sampleAnswers} />
            <span>{words.styles[one]}</span>
          </label>
        ))}
      </fieldset>
      <FontChoice
        workspaceId={workspaceId}
        value={valueAt(theme, ["general", "font"])}
        ofBrand={brand?.font}
        isDisabled={isReadOnly}
        onChange={(font) => {
          const path = ["general", "font"];
          const done = editor.run(setInPart, { of: "theme", path, value: font, title: ofFonts.font });
          if (done.kind === "refused") toast(done.sentence);
        }}
      />
    </div>
  );
}
