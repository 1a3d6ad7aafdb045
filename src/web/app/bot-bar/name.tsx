import { useRef, useState } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { toast } from "../ui/index.ts";
import botBarWords from "../words/en/bot-bar.json";
import { useWords } from "../words/index.ts";

export type BotNameProps = { readonly bot: OpenBot; readonly isHeading?: boolean };

/** The bot's name, as a field that can be edited directly in the bar. */
export function BotName({ bot, isHeading = false }: BotNameProps) {
  const words = useWords(botBarWords);
  const { name } = bot.bot.value;
  const [typed, setTyped] = useState<string>();
  // Set by Escape, so that the blur event that follows discards the typed text.
  const isLetBe = useRef(false);
  const commit = (): void => {
    const next = isLetBe.current ? undefined : typed?.trim();
    isLetBe.current = false;
    setTyped(undefined);
    if (next && next !== name)
      bot.rename(next).catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)));
  };
  const Holder = isHeading ? "h1" : "span";
  return (
    <Holder class="bot-bar-name">
      <input
        aria-label={words.name}
        value={typed ?? name}
        readOnly={bot.mode !== "write"}
        maxLength={255}
        dir="auto"
        size={Math.max(8, Math.min(32, (typed ?? name).length))}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key !== "Escape") return;
          isLetBe.current = true;
          event.currentTarget.blur();
        }}
      />
    </Holder>
  );
}
