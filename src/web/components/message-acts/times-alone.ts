import type { MessageActs } from "./acts.ts";
import css from "./message-acts.css" with { type: "text" };
import { View } from "./View.tsx";

/**
 * The rows below messages in the server's pages. They show only the times, because the other actions require a script.
 */
export const timesAlone: MessageActs = {
  View,
  areTimesShown: true,
  canCopy: false,
  rate: undefined,
  ratingOf: () => null,
  mayTryAgain: () => false,
  tryAgain() {},
  onShown() {},
  divide() {},
  edit: undefined,
};

export const timesCss = css;
