import { flagAt, textAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";
import { isFromAddress } from "./from-address.ts";
import { Leaving } from "./Leaving.tsx";

/**
 * Opens an address in a new tab or in place of the page. Where the browser blocks that, a link is shown; where the
 * page's address named the host the visitor is asked.
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
