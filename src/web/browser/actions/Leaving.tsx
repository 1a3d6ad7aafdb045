import { useState } from "preact/hooks";
import { rareEnglish } from "../../conversation/rare-words.ts";
import { addEnglish, fill, type Words } from "../../conversation/words.ts";

// Few chats lead elsewhere: the words for it come with this.
addEnglish(rareEnglish);

type Props = { readonly url: URL; readonly isNewTab: boolean; readonly words: Words };

/** Asks before the chat is left for a host that came from the page's address: by a link there, and a button to stay. */
export function Leaving({ url: { href, host }, isNewTab, words }: Props) {
  const [isStaying, setStaying] = useState(false);
  if (isStaying) return null;
  return (
    <fieldset class="chat-notice">
      <legend>{fill(words.leavingFor, { host })}</legend>
      <a class="typebot-button note-link" href={href} target={isNewTab ? "_blank" : "_top"} rel="noopener noreferrer">
        {fill(words.openLink, { host })}
      </a>
      <button type="button" class="typebot-button secondary-button" onClick={() => setStaying(true)}>
        {words.stay}
      </button>
    </fieldset>
  );
}
