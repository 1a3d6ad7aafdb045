import { useMemo } from "preact/hooks";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { readTheme } from "../../../../core/theme/stored-theme.ts";
import type { StyleName } from "../../../../core/theme/styles.ts";
import { DifferenceList, useDifference } from "../../difference/index.ts";
import { partOf } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { SmallPage } from "../../page-parts/small-page.tsx";
import { Button, Dialog, Skeleton } from "../../ui/index.ts";
import brandWords from "../../words/en/brand.json";
import themeWords from "../../words/en/theme.json";
import { useWords } from "../../words/index.ts";
import { withBrand, withBrandSeen } from "./brand-look.ts";
import "./brand-changed.css";

/** Makes a scrollable list reachable with the keyboard. */
const reachable = (list: HTMLElement | null) => list?.setAttribute("tabindex", "0");

type BrandChangedProps = {
  readonly bot: OpenBot;
  readonly brand: Brand;
  readonly style: StyleName;
  readonly onTake: (theme: JsonObject, from: string) => boolean;
  readonly onClose: () => void;
};

/**
 * Shows the current theme and the theme with the brand's changes side by side, with a button that applies the changes
 * and a button that ignores them.
 */
export function BrandChanged({ bot, brand, style, onTake, onClose }: BrandChangedProps) {
  const words = useWords(brandWords);
  const ofTheme = useWords(themeWords);
  const draft = bot.editor.store.draft.value;
  const theme = partOf(draft, "theme");
  const after = useMemo(() => ({ ...draft, theme: withBrand(theme, style, brand) }), [draft, style, brand]);
  const changed = useDifference(draft, after);
  const finish = (next: JsonObject) => {
    if (onTake(next, words.title)) onClose();
  };
  const pages = [
    { name: words.now, theme },
    { name: words.withBrand, theme: after.theme },
  ];
  return (
    <Dialog
      title={words.changed}
      text={words.compareText}
      onClose={onClose}
      actions={
        <>
          <Button label={words.keep} onPress={() => finish(withBrandSeen(theme, brand))} />
          <Button
            label={words.take}
            kind="primary"
            onPress={() => finish(after.theme)}
            attributes={{ autofocus: true }}
          />
        </>
      }
    >
      <div class="brand-changed-pages">
        {pages.map(({ name, theme: shown }) => (
          <figure key={name}>
            <SmallPage theme={readTheme(shown)} says={ofTheme.sampleSays} answers={ofTheme.sampleAnswers} />
            <figcaption>{name}</figcaption>
          </figure>
        ))}
      </div>
      <section class="brand-changed-list" aria-label={words.changed} ref={reachable}>
        {changed ? <DifferenceList before={draft} after={after} changed={changed} /> : <Skeleton />}
      </section>
    </Dialog>
  );
}
