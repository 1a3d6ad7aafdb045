/**
 * Submits a form of the chat when its button is clicked, which Enter in a field does, too. In a sandbox without
 * `allow-forms` browsers do not even begin to submit a form; an event of our own reaches the form's handler there as
 * well. A form that the browser checks is an author's, and left alone.
 */
export function submitByClick(event: MouseEvent): void {
  const { target } = event;
  const button = target instanceof Element && target.closest<HTMLButtonElement>("[novalidate] [type=submit]");
  if (button && submit(button.form, button)) event.preventDefault();
}

/** Has the form's handler send it. Whether the handler has taken it over from the browser. */
export function submit(form: HTMLFormElement | null | undefined, submitter: HTMLElement | null): boolean {
  return form?.dispatchEvent(new SubmitEvent("submit", { submitter, bubbles: true, cancelable: true })) === false;
}
