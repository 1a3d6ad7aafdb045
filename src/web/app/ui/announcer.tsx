import { signal } from "@preact/signals";

const said = signal<{ readonly polite: string; readonly assertive: string }>({ polite: "", assertive: "" });
let turn = 0;

/** Announces to screen readers what is visible elsewhere on the page: politely, or at once if it is urgent. */
export function announce(text: string, manner: "polite" | "assertive" = "polite"): void {
  // Screen readers would not read an unchanged sentence.
  turn += 1;
  // Effects may announce: with a subscription they would run again for their own sentence.
  said.value = { ...said.peek(), [manner]: turn % 2 === 0 ? text : `${text}\u00a0` };
}

/** The two live regions for screen readers; once a page. */
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
