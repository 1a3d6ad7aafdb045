/**
 * Remembers the focus for an action that moves it later. Returns a function that tells whether the focus may move to
 * `target`. It may not if the person has moved the focus since. A lost focus does not count as moved, and neither does
 * a focus that the dialog around the target took when it opened.
 */
export function rememberFocus(): (target: Element | null) => boolean {
  const before = document.activeElement;
  return (target) => {
    const now = document.activeElement;
    if (now === before || now === null || now === document.body) return true;
    const dialog = target?.closest("dialog");
    return dialog?.contains(now) === true && !dialog.contains(before);
  };
}
