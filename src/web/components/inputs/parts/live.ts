import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Whether the page's script has taken over. False in the first render, which has to equal the server's for hydration.
 */
export function useLive(isLive: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useLayoutEffect(() => setNow(isLive), [isLive]);
  return isNow;
}

/** Whether there is a mouse or a similar pointer, and so most likely a keyboard. */
export function hasPointer(): boolean {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}
