import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { partOf } from "../../editor/commands/look.ts";
import type { OpenBot } from "../../editor/index.ts";
import { Link } from "../../routing/router.ts";
import { Banner, Button, later, Switch } from "../../ui/index.ts";
import brandWords from "../../words/en/brand.json";
import { useWords } from "../../words/index.ts";
import { followedBrand, isBehind, withBrand, withoutBrand } from "./brand-look.ts";
import { styleOf } from "./look.ts";

const BrandChanged = later(async () => (await import("./brand-changed.tsx")).BrandChanged);

type BrandPartProps = {
  readonly bot: OpenBot;
  readonly brand: Brand | null;
  /** Applies the theme. Returns whether it was applied. */
  readonly onTake: (theme: JsonObject, from: string) => boolean;
};

/** Shows whether the theme follows the workspace's brand, and whether the brand has changed since it was applied. */
export function BrandPart({ bot, brand, onTake }: BrandPartProps) {
  const words = useWords(brandWords);
  const [isComparing, setComparing] = useState(false);
  const { editor } = bot;
  const theme = useComputed(() => partOf(editor.store.draft.value, "theme")).value;
  const isReadOnly = editor.readOnly.value !== undefined;
  if (!brand) {
    return (
      <p class="look-hint">
        {words.none} <Link to={`/w/${bot.bot.value.workspaceId}/settings/brand`}>{words.make}</Link>
      </p>
    );
  }
  const followed = followedBrand(theme);
  const style = followed?.style ?? styleOf(theme) ?? "clear";
  return (
    <>
      <Switch
        label={words.follow}
        help={words.followHelp}
        isChecked={followed !== undefined}
        isDisabled={isReadOnly}
        onChange={(isChecked) => onTake(isChecked ? withBrand(theme, style, brand) : withoutBrand(theme), words.title)}
      />
      {isBehind(theme, brand) && (
        <Banner
          tone="warning"
          title={words.changed}
          text={words.changedText}
          action={!isReadOnly && <Button label={words.compare} size="s" onPress={() => setComparing(true)} />}
        />
      )}
      {isComparing && <BrandChanged {...{ bot, brand, style, onTake }} onClose={() => setComparing(false)} />}
    </>
  );
}
