import { useLayoutEffect, useState } from "preact/hooks";

/** Whether the page's script has taken over. False in the first render, which hydration needs to equal the server's. */
export function useLive(isLive: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useLayoutEffect(() => setNow(isLive), [isLive]);
  return isNow;
}
