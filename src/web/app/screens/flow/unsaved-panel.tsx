/** @jsxImportSource preact */
import type { Clash, Held, OpenBot } from "../../editor/index.ts";
import { mergeValues } from "../../editor/merge-values.ts";
import { Button, EmptyState } from "../../ui/index.ts";
import { publishWords } from "../../words/flow-publish.ts";
import { useWords } from "../../words/index.ts";

/** What is not saved, and why: both values of what two people changed, and what the service had against a field. */
export function UnsavedPanel({ bot }: { readonly bot: OpenBot }) {
  const { unsaved: words } = useWords(publishWords);
  const held = bot.editor.held.value;
  if (held.length === 0) return <EmptyState icon="circle-check" title={words.none} />;
  return (
    <ul class="unsaved">
      {held.map((one) => (
        <HeldEntry key={one.set.id} bot={bot} held={one} />
      ))}
    </ul>
  );
}

function HeldEntry({ bot, held }: { readonly bot: OpenBot; readonly held: Held }) {
  const { unsaved: words } = useWords(publishWords);
  const { editor } = bot;
  const { reason, set } = held;
  const first = set.changes.find((change) => change.op === "set" && change.id !== undefined);
  const clashes = reason.kind === "conflict" ? reason.clashes : [];
  const isGone = clashes.some(({ theirs }) => theirs === undefined);
  const merged = reason.kind === "conflict" ? mergeValues(held) : undefined;
  const resolve = (choice: Parameters<typeof editor.resolve>[1]) => () => editor.resolve(held, choice);
  return (
    <li class="unsaved-entry">
      <p class="unsaved-why">{words[reason.kind]}</p>
      <p>
        <strong>{set.title}</strong>
      </p>
      {clashes.map((clash) => (
        <Values key={JSON.stringify([clash.of, clash.id, clash.path])} clash={clash} />
      ))}
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
        {reason.kind === "conflict" && (
          <Button size="s" onPress={resolve("mine")}>
            {isGone ? words.bringBack : words.keepMine}
          </Button>
        )}
        {merged && (
          <Button size="s" onPress={resolve(merged)}>
            {words.keepBoth}
          </Button>
        )}
        <Button size="s" kind={reason.kind === "conflict" ? "plain" : "quiet"} onPress={resolve("theirs")}>
          {reason.kind === "conflict" && !isGone ? words.keepTheirs : words.letGo}
        </Button>
        {reason.kind === "refused" &&
          first?.op === "set" &&
          (first.of === "block" || first.of === "group") &&
          first.id !== undefined && (
            <Button
              size="s"
              kind="quiet"
              icon="arrow-right"
              onPress={() => selectThing(bot, first.of === "group" ? "group" : "block", first.id ?? "")}
            >
              {words.mine}
            </Button>
          )}
      </div>
    </li>
  );
}

function selectThing({ editor }: OpenBot, kind: "group" | "block", id: string): void {
  editor.selection.value = { kind, id };
}

function Values({ clash: { mine, theirs, by, at } }: { readonly clash: Clash }) {
  const { unsaved: words } = useWords(publishWords);
  const who = by?.name ?? undefined;
  return (
    <dl class="clash">
      <dt>{words.mine}</dt>
      <dd>{readable(mine) ?? words.removed}</dd>
      <dt>
        {words.theirs} {who !== undefined && <small>{words.by(who)}</small>}{" "}
        {at !== "" && <small>{new Date(at).toLocaleTimeString()}</small>}
      </dt>
      <dd>{readable(theirs) ?? words.removed}</dd>
    </dl>
  );
}

/** A value as people read it: the words of a text, JSON of anything else. */
function readable(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  const words = textsIn(value);
  return words === "" ? JSON.stringify(value) : words;
}

function textsIn(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(textsIn)
      .filter((text) => text !== "")
      .join(" ");
  if (typeof value !== "object" || value === null) return "";
  const text: unknown = "text" in value ? value.text : undefined;
  const inner: unknown = "children" in value ? value.children : "richText" in value ? value.richText : undefined;
  return typeof text === "string" ? text : textsIn(inner);
}
