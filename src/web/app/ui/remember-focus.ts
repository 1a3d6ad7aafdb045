/**
 * For an act that moves the focus only after a while: notes where the focus is, and says later whether it may go to
 * `target`. It may, unless the person has moved it meanwhile. Focus that was lost, or that the dialog around the target
 * took when it opened, was moved by nobody.
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
