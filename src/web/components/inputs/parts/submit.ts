/**
 * Submits a form of the chat when its button is clicked, also by Enter in a field. In a sandbox without `allow-forms`
 * browsers do not even begin to submit a form; an event of our own still reaches the form's handler. A form that the
 * browser checks belongs to an author, and is ignored.
 */
export function submitByClick(event: MouseEvent): void {
  const { target } = event;
  const button = target instanceof Element && target.closest<HTMLButtonElement>("[novalidate] [type=submit]");
  if (button && submit(button.form, button)) event.preventDefault();
}

/** Makes the form's handler send the form. Returns whether the handler has taken over from the browser. */
export function submit(form: HTMLFormElement | null | undefined, submitter: HTMLElement | null): boolean {
  return form?.dispatchEvent(new SubmitEvent("submit", { submitter, bubbles: true, cancelable: true })) === false;
}
