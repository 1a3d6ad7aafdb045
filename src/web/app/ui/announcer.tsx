import { signal } from "@preact/signals";

const said = signal<{ readonly polite: string; readonly assertive: string }>({ polite: "", assertive: "" });
let turn = 0;

/** Tells screen readers something that is seen elsewhere on the page: politely, or at once where it must not wait. */
export function announce(text: string, manner: "polite" | "assertive" = "polite"): void {
  // Screen readers would not read an unchanged sentence.
  turn += 1;
  // Effects announce, too: they would run again for their own sentence.
  said.value = { ...said.peek(), [manner]: turn % 2 === 0 ? text : `${text}\u00a0` };
}

/** The two regions that readers listen to; once a page. */
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
