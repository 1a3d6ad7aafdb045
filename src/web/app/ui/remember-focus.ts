/**
 * For an action that moves the focus only later: notes the focus, and returns whether it may move to `target`. It may,
 * unless the person has moved the focus since. Focus that was lost, or that the dialog around the target took when it
 * opened, does not count as moved.
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
