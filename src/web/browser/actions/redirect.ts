import { flagAt, textAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/** Opens an address in a new tab or in place of the page. Where the browser blocks that, a link is shown. */
export const redirect: RunAction = async (action, { words, note }) => {
  const url = URL.parse(textAt(action, "redirect", "url") ?? "", location.href);
  if (!url || !/^(https?|mailto|tel|sms):$/.test(url.protocol)) return null;
  const isNewTab = flagAt(action, "redirect", "isNewTab") === true;
  const opened = window.open(url.href, isNewTab ? "_blank" : "_top");
  if (!opened) note(words.popupBlockedButtonLabel, url.href);
  else if (isNewTab) opened.opener = null;
  return null;
};
