import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../api/index.ts";
import { route } from "../routing/router.ts";

const latest = signal<ApiFailure>();

/** The failure of the last action whose failure no dialog or field showed. */
export const refusal: ReadonlySignal<ApiFailure | undefined> = latest;

export function dismissRefusal(): void {
  latest.value = undefined;
}

/**
 * Records the failed API calls that are not handled elsewhere, except those with status 401. Called once. The message
 * disappears when the path changes.
 */
export function noteRefusals(): void {
  addEventListener("unhandledrejection", (event) => {
    if (!(event instanceof PromiseRejectionEvent) || !(event.reason instanceof ApiFailure)) return;
    event.preventDefault();
    // For a failure with status 401, the page shows the dialog to sign in again.
    if (event.reason.status !== 401) latest.value = event.reason;
  });
  let at = route.value.path;
  effect(() => {
    if (route.value.path === at) return;
    at = route.value.path;
    latest.value = undefined;
  });
}
