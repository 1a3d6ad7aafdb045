import { countChanges, isNothing } from "../../difference/index.ts";
import { go } from "../../routing/router.ts";
import { Banner, Button } from "../../ui/index.ts";
import { differenceWords } from "../../words/difference.ts";
import { useWords } from "../../words/index.ts";
import { versionWords } from "../../words/versions.ts";
import { useTwo } from "./use-two.ts";

/** Whether the draft is what visitors meet, and if not, in a sentence what publishing it would do. */
export function DraftNote({ botId, live }: { readonly botId: string; readonly live: number | undefined }) {
  const words = useWords(versionWords);
  const difference = useWords(differenceWords);
  const { before, after, changed } = useTwo(botId, live === undefined ? undefined : String(live), "draft");
  if (live === undefined) return <Banner>{words.first}</Banner>;
  if (!before || !after || !changed) return null;
  if (changed.length === 0) return <Banner tone="good">{words.draftSame}</Banner>;
  return (
    <Banner
      title={words.draftDiffers}
      action={
        <Button icon="git-compare" onPress={() => go(`/bots/${botId}/versions/${live}/compare/draft`)}>
          {words.compareTwo}
        </Button>
      }
    >
      {isNothing(changed) ? difference.nothing : difference.summary(countChanges(changed))}
    </Banner>
  );
}
