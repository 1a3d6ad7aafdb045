import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

/**
 * Runs an effect synchronously when a signal that it reads changes, while the component is mounted. `useSignalEffect`
 * waits for the next frame, so an element that follows the pointer would be one frame late.
 */
export function useEffectNow(run: () => void, of: readonly unknown[]): void {
  useLayoutEffect(() => effect(run), of);
}
