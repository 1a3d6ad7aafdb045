type Day = { readonly day: string; readonly results: number };

/** Returns the days in order. Days without results are included if the chart has room for all days. */
export function everyDay(days: readonly Day[]): readonly Day[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return days;
  const begin = Date.parse(first.day);
  const count = Math.round((Date.parse(last.day) - begin) / dayMs) + 1;
  if (count > mostPoints) return days;
  const known = new Map(days.map(({ day, results }) => [day, results]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(begin + index * dayMs).toISOString().slice(0, 10);
    return { day, results: known.get(day) ?? 0 };
  });
}

const dayMs = 86_400_000;
const mostPoints = 400;
