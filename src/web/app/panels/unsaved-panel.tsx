import { DecisionNote } from "../decisions/decision.tsx";
import type { Decision, Held, OpenBot } from "../editor/index.ts";
import { Button, EmptyState } from "../ui/index.ts";
import publishWords from "../words/en/publish.json";
import { useWords } from "../words/index.ts";

/**
 * Lists the conflicts that await a decision, with both values, and the changes that could not be saved, with the
 * reasons.
 */
export function UnsavedPanel({ bot }: { readonly bot: OpenBot }) {
  const { unsaved: words } = useWords(publishWords);
  const { editor } = bot;
  const decisions = editor.decisions.value;
  const refused = editor.held.value.filter(({ reason }) => reason.kind !== "conflict");
  if (decisions.length + refused.length === 0) return <EmptyState icon="circle-check" title={words.none} />;
  return (
    <ul class="unsaved">
      {decisions.map((decision) => (
        <li key={JSON.stringify([decision.held.set.id, decision.clash.path])} class="unsaved-entry">
          <p>
            <strong>{decision.held.set.title}</strong>
          </p>
          <DecisionNote decision={decision} editor={editor} />
          <ShowField bot={bot} decision={decision} />
        </li>
      ))}
      {refused.map((one) => (
        <RefusedEntry key={one.set.id} bot={bot} held={one} />
      ))}
    </ul>
  );
}

function ShowField({ bot, decision: { clash } }: { readonly bot: OpenBot; readonly decision: Decision }) {
  const { unsaved: words } = useWords(publishWords);
  const { of, id, in: within } = clash;
  if (id === undefined || (of !== "block" && of !== "group" && of !== "item")) return null;
  const show = (): void => {
    bot.editor.selection.select(of === "item" ? { kind: of, id, blockId: within ?? "" } : { kind: of, id });
  };
  return (
    <div class="unsaved-acts">
      <Button label={words.showField} size="s" kind="quiet" icon="arrow-right" onPress={show} />
    </div>
  );
}

function RefusedEntry({ bot, held }: { readonly bot: OpenBot; readonly held: Held }) {
  const { unsaved: words } = useWords(publishWords);
  const { editor } = bot;
  const { reason, set } = held;
  const first = set.changes.find((change) => change.op === "set" && change.id !== undefined);
  return (
    <li class="unsaved-entry">
      <p class="unsaved-why">{words[reason.kind === "refused" ? "refused" : "depends"]}</p>
      <p>
        <strong>{set.title}</strong>
      </p>
      {reason.kind === "refused" && (
        <ul>
          {reason.issues.map(({ path, message }) => (
            <li key={path}>
              <code>{path.split(".").slice(2).join(".") || path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <div class="unsaved-acts">
        <Button label={words.letGo} size="s" kind="quiet" onPress={() => editor.resolve(held, "theirs")} />
        {reason.kind === "refused" &&
          first?.op === "set" &&
          (first.of === "block" || first.of === "group") &&
          first.id !== undefined && (
            <Button
              label={words.mine}
              size="s"
              kind="quiet"
              icon="arrow-right"
              onPress={() => selectThing(bot, first.of === "group" ? "group" : "block", first.id ?? "")}
            />
          )}
      </div>
    </li>
  );
}

function selectThing({ editor }: OpenBot, kind: "group" | "block", id: string): void {
  editor.selection.select({ kind, id });
}
