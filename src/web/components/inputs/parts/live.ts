import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Whether the page's script runs. False in the first render, because hydration requires the same result as on the
 * server.
 */
export function useLive(isLive: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useLayoutEffect(() => setNow(isLive), [isLive]);
  return isNow;
}

/** Whether the visitor has a mouse or a similar pointer, and therefore most likely a keyboard. */
export function hasPointer(): boolean {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}
