import { useLayoutEffect, useState } from "preact/hooks";

/** Whether the page's script has taken over. False in the first render, which hydration needs to equal the server's. */
export function useLive(isLive: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useLayoutEffect(() => setNow(isLive), [isLive]);
  return isNow;
}

/** Whether there is a mouse or the like, and with it most likely a keyboard. */
export function hasPointer(): boolean {
  return matchMedia("(hover: hover) and (pointer: fine)").matches;
}
