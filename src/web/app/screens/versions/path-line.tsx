import { useEffect } from "preact/hooks";
import { at, listAt, textAt } from "../../../conversation/read.ts";
import { call, useQuery } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { Link } from "../../routing/router.ts";
import versionWords from "../../words/en/version.json";
import { useWords } from "../../words/index.ts";
import { pathIn } from "./result-path.ts";

/** Highlights the path of a result's chats on the flow of its version, and announces the path to screen readers. */
export function PathLine({ bot, resultId }: { readonly bot: OpenBot; readonly resultId: string }) {
  const words = useWords(versionWords);
  const path = { botId: bot.id, resultId };
  const { value, failure } = useQuery(`results/${bot.id}/path/${resultId}`, async () => {
    const query = { format: "rich" as const };
    const [{ result }, { chats = [] }] = await Promise.all([
      call("GET /api/v1/bots/:botId/results/:resultId", { path }),
      call("GET /api/v1/bots/:botId/results/:resultId/transcript", { path, query }),
    ]);
    const steps = chats.flatMap((chat) => chat.steps);
    const shown = steps.flatMap((step) => [...listAt(step, "messages"), at(step, "input")]).flatMap(idsOf);
    const waitsAt = result.isCompleted ? undefined : textAt(steps.at(-1), "input", "id");
    // If the steps of an old chat were deleted, the path is derived from its answers.
    return { shown: shown.length > 0 ? shown : result.answers.map(({ blockId }) => blockId), waitsAt };
  });
  useEffect(() => {
    if (!value) return undefined;
    bot.editor.mark(pathIn(bot.editor.store.draft.value, value.shown, value.waitsAt));
    return () => bot.editor.mark(undefined);
  }, [bot, value]);
  return (
    <p class="version-why" role="status">
      {failure ? failure.message : value && (value.shown.length > 0 ? words.path : words.pathUnknown)}{" "}
      <Link to={`/bots/${bot.id}/results/${resultId}`}>{words.toChat}</Link>
    </p>
  );
}

function idsOf(thing: unknown): readonly string[] {
  const id = textAt(thing, "id");
  return id === undefined ? [] : [id];
}
