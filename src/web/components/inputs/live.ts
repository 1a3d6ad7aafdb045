import { useLayoutEffect, useState } from "preact/hooks";

/** Whether the page's script has taken over. The first drawing equals the server's, so that the script finds what it expects. */
export function useLive(isLive: boolean): boolean {
  const [isNow, setNow] = useState(false);
  useLayoutEffect(() => setNow(isLive), [isLive]);
  return isNow;
}
