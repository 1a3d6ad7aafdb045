/** The number of colours for people, which are defined in `tokens.css`. */
export const personColors = 8;

/**
 * The colours by user id. People who have left come first, in the order in which they left, followed by the people who
 * are present.
 */
const given = new Map<string, number>();

/**
 * Assigns colours to the people who are present. People who stay keep their colour. A new person gets one of the least
 * used colours: preferably a colour that nobody has had, otherwise the colour whose last owner left longest ago.
 */
export function colorPeople(userIds: Iterable<string>): void {
  const here = new Set(userIds);
  for (const userId of here) {
    const color = given.get(userId);
    if (color === undefined) continue;
    given.delete(userId);
    given.set(userId, color);
  }
  for (const userId of here) if (!given.has(userId)) given.set(userId, nextColor(here));
}

/**
 * Returns the colour of a person, which is the same in all parts of the screen. Returns 0 for a person without a
 * colour.
 */
export function colorOf(userId: string): number {
  return given.get(userId) ?? 0;
}

function nextColor(here: ReadonlySet<string>): number {
  const counts = Array.from({ length: personColors }, () => 0);
  const left = new Map<number, number>();
  for (const [order, [userId, color]] of [...given].entries()) {
    if (here.has(userId)) counts[color] = (counts[color] ?? 0) + 1;
    else left.set(color, order);
  }
  const fewest = Math.min(...counts);
  const colors = counts.flatMap((count, color) => (count === fewest ? [color] : []));
  const [next = 0] = colors.toSorted((one, other) => (left.get(one) ?? -1) - (left.get(other) ?? -1));
  for (const [userId, color] of given) if (color === next && !here.has(userId)) given.delete(userId);
  return next;
}
