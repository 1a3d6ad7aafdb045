import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * Runs at once when a signal that it reads changes, while the component is mounted. `useSignalEffect` waits for the
 * next frame, and an element that follows a pointer would be a frame late.
 */
export function useEffectNow(run: () => void, of: readonly unknown[]): void {
  useLayoutEffect(() => effect(run), of);
}
