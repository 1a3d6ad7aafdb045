/**
 * The entries that are shown after this one, in order: all where it is none. Found from the end, where what is new is:
 * a search through a chat of a thousand messages took 1 ms, several times an answer.
 */
export function entriesAfter(container: HTMLElement, known: Element | undefined): readonly Element[] {
  const found: Element[] = [];
  let stretch = container.querySelector(".transcript")?.lastElementChild;
  for (; stretch && !(known && found.includes(known)); stretch = stretch.previousElementSibling)
    found.unshift(...stretch.querySelectorAll(".chunk-entries > *"));
  return known ? found.slice(found.indexOf(known) + 1) : found;
}

export function isAnswer(entry: Element): boolean {
  return entry.classList.contains("guest-container");
}

/** A part of the chat beside its transcript, by its class; found without a search through the transcript. */
export function partOf(container: HTMLElement, name: string): HTMLElement | undefined {
  const view = container.querySelector(".typebot-chat-view");
  const parts = [view?.previousElementSibling, ...(view?.children ?? [])];
  return parts.find((part): part is HTMLElement => part instanceof HTMLElement && part.classList.contains(name));
}
