import { signal } from "@preact/signals";

const said = signal<{ readonly polite: string; readonly assertive: string }>({ polite: "", assertive: "" });
let turn = 0;

/** Makes screen readers announce a text that is visible elsewhere: politely, or immediately if it is urgent. */
export function announce(text: string, manner: "polite" | "assertive" = "polite"): void {
  // Screen readers do not announce an unchanged text, so every second text gets an invisible suffix.
  turn += 1;
  // Read without a subscription, because an effect that announces would otherwise run again for its own text.
  said.value = { ...said.peek(), [manner]: turn % 2 === 0 ? text : `${text}\u00a0` };
}

/** The two live regions for screen readers. Rendered once per page. */
export function Announcer() {
  return (
    <div class="visually-hidden">
      <div role="status" aria-live="polite" aria-atomic="true">
        {said.value.polite}
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="true">
        {said.value.assertive}
      </div>
    </div>
  );
}
