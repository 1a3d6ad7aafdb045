import type { Decision, Editor } from "../editor/index.ts";
import { mergeValues } from "../editor/working-copy/merge-values.ts";
import { Button, Icon } from "../ui/index.ts";
import publishWords from "../words/en/publish.json";
import { timeText, useWords } from "../words/index.ts";
import "./decision.css";

/**
 * A conflict between two people's values: who changed the value and when, both current values, and the possible
 * decisions.
 */
export function DecisionNote({ decision, editor }: { readonly decision: Decision; readonly editor: Editor }) {
  const { unsaved: words } = useWords(publishWords);
  const { held, clash, mine, theirs } = decision;
  const isGone = theirs === undefined;
  const both = mergeValues(withValuesOfNow(decision));
  const who = clash.by?.name ?? words.somebody;
  return (
    <div class="decision" {...{ role: "group", "aria-label": words.toDecide({ title: held.set.title }) }}>
      <p class="decision-who">
        <Icon name="users" size={15} />
        {clash.at === "" ? words.changedBy({ name: who }) : words.changedAt({ name: who, time: timeText(clash.at) })}
      </p>
      <dl class="decision-values">
        <div>
          <dt>{words.mine}</dt>
          <dd dir="auto">{readable(mine) ?? <em>{words.removed}</em>}</dd>
        </div>
        <div>
          <dt>{words.theirs}</dt>
          <dd dir="auto">{readable(theirs) ?? <em>{words.removed}</em>}</dd>
        </div>
      </dl>
      <div class="decision-acts">
        <Button
          label={isGone ? words.bringBack : words.keepMine}
          size="s"
          onPress={() => editor.resolve(held, "mine")}
        />
        <Button
          label={isGone ? words.letGo : words.keepTheirs}
          size="s"
          onPress={() => editor.resolve(held, "theirs")}
        />
        {both && <Button label={words.keepBoth} size="s" onPress={() => editor.resolve(held, both)} />}
      </div>
    </div>
  );
}

/** Replaces the other person's value in the conflict with the draft's current value. */
function withValuesOfNow({ held, clash, theirs }: Decision): Decision["held"] {
  if (held.reason.kind !== "conflict") return held;
  const clashes = held.reason.clashes.map((one) => (one === clash ? { ...one, theirs } : one));
  return { ...held, reason: { ...held.reason, clashes } };
}

/**
 * Returns a value in a readable form: a text unchanged, a rich text as plain text, and other values as JSON. Undefined
 * stays undefined.
 */
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
