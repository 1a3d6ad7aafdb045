/** @jsxImportSource preact */
import type { OpenBot } from "../editor/index.ts";
import { flowWords } from "../words/flow.ts";
import { useWords } from "../words/index.ts";

/** Who else has this bot open, on whichever of the screens that edit it. */
export function Here({ bot }: { readonly bot: OpenBot }) {
  const { bar: words } = useWords(flowWords);
  const present = bot.live.present.value;
  if (present.length === 0) return null;
  const names = present.map(({ name }) => name ?? "?");
  return (
    <span class="flow-here" role="img" aria-label={words.here(names.join(", "))} title={words.here(names.join(", "))}>
      {present.slice(0, 4).map(({ id, name }) => (
        <span key={id} class="flow-face">
          {(name ?? "?").slice(0, 1).toUpperCase()}
        </span>
      ))}
      {present.length > 4 && <span class="flow-face">+{present.length - 4}</span>}
    </span>
  );
}
