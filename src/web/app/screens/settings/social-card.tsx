import { useComputed } from "@preact/signals";
import { safeSource } from "../../../conversation/links.ts";
import { textAt } from "../../../conversation/read.ts";
import type { OpenBot } from "../../editor/index.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Icon } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { settingsWords } from "../../words/settings.ts";

/** The card that a network shows where somebody posts the bot's address. */
export function SocialCard({ bot: { bot, editor } }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const settings = useComputed(() => editor.store.draft.value.settings).value;
  const said = (name: string) => textAt(settings, "metadata", name) || undefined;
  const picture = safeSource(said("imageUrl"));
  const address = useChatAddress();
  return (
    <section aria-labelledby="card-title">
      <h2 id="card-title">{words.card}</h2>
      <div class="social-card">
        <div class="social-card-picture">
          {picture === undefined ? (
            <span>
              <Icon name="eye" size={18} /> {words.noPicture}
            </span>
          ) : (
            <img src={picture} alt="" />
          )}
        </div>
        <div class="social-card-words" dir="auto">
          <small>{address === undefined ? "" : new URL(address).host}</small>
          <strong>{said("title") ?? bot.value.name}</strong>
          {said("description") !== undefined && <p>{said("description")}</p>}
        </div>
      </div>
    </section>
  );
}
