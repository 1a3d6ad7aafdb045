import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../api/index.ts";
import { route } from "../routing/router.ts";

const latest = signal<ApiFailure>();

/** The last failure that no dialog or field has shown. */
export const refusal: ReadonlySignal<ApiFailure | undefined> = latest;

export function dismissRefusal(): void {
  latest.value = undefined;
}

/**
 * Records failed API calls that nothing else handles, except those with status 401. The recorded failure is cleared
 * when the path changes. Called once.
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
