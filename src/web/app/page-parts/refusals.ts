import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../api/index.ts";
import { route } from "../routing/router.ts";

const latest = signal<ApiFailure>();

/** The last refused action without a dialog or a field to show the refusal. */
export const refusal: ReadonlySignal<ApiFailure | undefined> = latest;

export function dismissRefusal(): void {
  latest.value = undefined;
}

/** Notes every call whose refusal is not handled elsewhere; called once. The note disappears with its screen. */
export function noteRefusals(): void {
  addEventListener("unhandledrejection", (event) => {
    if (!(event instanceof PromiseRejectionEvent) || !(event.reason instanceof ApiFailure)) return;
    event.preventDefault();
    // A request to sign in again is shown above the page.
    if (event.reason.status !== 401) latest.value = event.reason;
  });
  let at = route.value.path;
  effect(() => {
    if (route.value.path === at) return;
    at = route.value.path;
    latest.value = undefined;
  });
}
