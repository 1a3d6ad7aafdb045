/**
 * The option whose letter was pressed: A for the first, as the style sheet shows it. Keys count while the focus is
 * among the options: single letters that work everywhere are in the way of those who speak to their computer.
 */
export function optionOfKey(event: KeyboardEvent, group: Element): HTMLElement | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return undefined;
  // Keyboards of other scripts have Latin letters on their keys, too.
  const letter = /^[a-z]$/i.exec(event.key)?.[0] ?? /^Key(.)$/.exec(event.code)?.[1];
  const place = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - "A".charCodeAt(0);
  return group.querySelectorAll<HTMLElement>("[name=choice]")[place];
}
