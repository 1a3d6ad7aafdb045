import { useState } from "preact/hooks";
import { say } from "../../conversation/rare-words.ts";
import { flagAt, textAt } from "../../conversation/read.ts";
import type { Words } from "../../conversation/words.ts";
import type { RunAction } from "./action.ts";

/**
 * Opens a URL in a new tab or in place of the page. If the browser blocks this, a link is shown. The visitor is asked
 * first if the URL leads to another site and its host comes from the page's own URL. Only web, mail, phone and SMS URLs
 * are opened.
 */
export const redirect: RunAction = async (action, { words, note, ask, addressed }) => {
  const target = textAt(action, "redirect", "url") ?? "";
  const url = URL.parse(target, location.href);
  if (!url || !/^(https?|mailto|tel|sms):$/.test(url.protocol)) return null;
  const isNewTab = flagAt(action, "redirect", "isNewTab") === true;
  const isElsewhere = /^https?:$/.test(url.protocol) && url.origin !== location.origin;
  if (isElsewhere && isFromAddress(target, addressed)) {
    ask(() => <Leaving url={url} isNewTab={isNewTab} words={words} />);
    return null;
  }
  const opened = window.open(url.href, isNewTab ? "_blank" : "_top");
  if (!opened) note(words.popupBlockedButtonLabel, url.href);
  else if (isNewTab) opened.opener = null;
  return null;
};

type Props = { readonly url: URL; readonly isNewTab: boolean; readonly words: Words };

/**
 * Asks the visitor before the page opens a URL whose host comes from the page's own URL. Shows a link to the target,
 * and a button to stay.
 */
function Leaving({ url: { href, host }, isNewTab, words }: Props) {
  const [isStaying, setStaying] = useState(false);
  if (isStaying) return null;
  return (
    <fieldset class="chat-notice">
      <legend>{say(words, "leavingFor", { host })}</legend>
      <a class="typebot-button note-link" href={href} target={isNewTab ? "_blank" : "_top"} rel="noopener noreferrer">
        {say(words, "openLink", { host })}
      </a>
      <button type="button" class="typebot-button secondary-button" onClick={() => setStaying(true)}>
        {words.stay}
      </button>
    </fieldset>
  );
}

/**
 * Whether the host of a redirect comes partly or wholly from a URL of the chat's pages. In that case, the author of the
 * link chose the target. The target is not parsed first, because a parsed URL spells the same host differently
 * (`EVIL.com`, `ev%69l.com`, punycode). A value of up to three characters is compared only with the host's end, because
 * many hosts contain a language code elsewhere.
 */
export function isFromAddress(target: string, addressed: readonly string[]): boolean {
  const host = /^(?:[a-z][a-z\d+.-]*:)?[\\/]*([^\\/?#]*)/.exec(plain(target))?.[1] ?? "";
  return addressed.map(plain).some((value) => {
    if (value === "" || host === "") return false;
    return value.includes(host) || host.endsWith(value) || (value.length > 3 && host.includes(value));
  });
}

/** Returns the text in lower case, without characters that URL parsers remove or replace. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\p{Cc}\s\uFFFD]/gu, "");
}
