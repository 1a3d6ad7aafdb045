/**
 * Runs head code, which may wait for the page to load or observe changes. The code arrives with the chat's start, when
 * the page has already loaded. Its load listeners are therefore called once, shortly after they are added, and its
 * observers are notified of a change.
 */
export function withLateEvents(run: () => void): void {
  const { onload } = window;
  const ends = [
    ...(document.readyState === "loading" ? [] : [lateEvent(document, "DOMContentLoaded")]),
    ...(document.readyState === "complete" ? [lateEvent(window, "load")] : []),
  ];
  run();
  for (const end of ends) end();
  const change = document.createComment("");
  document.body.append(change);
  change.remove();
  if (window.onload === onload || document.readyState !== "complete") return;
  setTimeout(() => window.onload?.call(window, new Event("load")));
}

function lateEvent(target: EventTarget, type: string): () => void {
  const add = target.addEventListener;
  const own = Object.getOwnPropertyDescriptor(target, "addEventListener");
  const value = (
    name: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void => {
    if (name !== type) {
      add.call(target, name, listener, options);
      return;
    }
    const event = new Event(type);
    setTimeout(() => (typeof listener === "function" ? listener.call(target, event) : listener?.handleEvent(event)));
  };
  Object.defineProperty(target, "addEventListener", { value, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(target, "addEventListener", own);
    else Reflect.deleteProperty(target, "addEventListener");
  };
}
