import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * Runs at once when a signal that it reads changes, as long as the component is there. `useSignalEffect` waits for the
 * next frame, and what follows a pointer would come a frame late.
 */
export function useEffectNow(run: () => void, of: readonly unknown[]): void {
  useLayoutEffect(() => effect(run), of);
}
