/**
 * Submits a form of the chat when its button is clicked, or when Enter is pressed in a field. In a sandbox without
 * `allow-forms`, browsers do not start to submit a form, but a synthetic event still reaches the form's handler. A form
 * without `novalidate` belongs to an author and is ignored.
 */
export function submitByClick(event: MouseEvent): void {
  const { target } = event;
  const button = target instanceof Element && target.closest<HTMLButtonElement>("[novalidate] [type=submit]");
  if (button && submit(button.form, button)) event.preventDefault();
}

/** Triggers the form's handler. Returns whether the handler has prevented the browser's own submission. */
export function submit(form: HTMLFormElement | null | undefined, submitter: HTMLElement | null): boolean {
  return form?.dispatchEvent(new SubmitEvent("submit", { submitter, bubbles: true, cancelable: true })) === false;
}
