/**
 * Returns the option for a pressed letter, if there is one. A presses the first option, and the style sheet shows the
 * letters. Keys count only while the focus is among the options, because single-letter shortcuts for the whole page
 * disturb visitors who use speech input.
 */
export function optionOfKey(event: KeyboardEvent, group: Element): HTMLElement | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return undefined;
  // Keyboards of other scripts also have Latin letters on their keys.
  const letter = /^[a-z]$/i.exec(event.key)?.[0] ?? /^Key(.)$/.exec(event.code)?.[1];
  const place = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - "A".charCodeAt(0);
  return group.querySelectorAll<HTMLElement>("[name=choice]")[place];
}
