type Part = "year" | "month" | "day";
const everyPart: readonly Part[] = ["year", "month", "day"];

/**
 * Returns a function that parses an answer to a date input and returns its day, such as `2026-12-31`. For a range, it
 * returns the first day. Answers have the input's pattern at the time of the answer. If the pattern has changed since,
 * the function may return undefined.
 */
export function dayReader(pattern: string): (answer: string) => string | undefined {
  const parts = [...pattern.matchAll(/(y+|M+|d+)|'([^']*)'|([a-zA-Z])\3*|([^a-zA-Z'])/g)];
  const names: Part[] = [];
  const source = parts
    .map(([whole, token, quoted, letters]) => {
      if (quoted !== undefined) return escaped(quoted);
      // Times and names of weekdays do not affect the day.
      if (letters !== undefined) return "[\\p{L}\\d]+?";
      if (token === undefined) return escaped(whole);
      names.push(token.startsWith("y") ? "year" : token.startsWith("M") ? "month" : "day");
      if (token.startsWith("M") && token.length > 2) return "(\\p{L}+)";
      return token.startsWith("y") && token !== "yy" ? "(\\d{4})" : "(\\d{1,2})";
    })
    .join("");
  if (everyPart.some((part) => !names.includes(part))) return () => undefined;
  const written = new RegExp(`^${source}`, "u");
  return (answer) => {
    const found = written.exec(answer);
    if (!found) return undefined;
    const text = (part: Part) => found[names.indexOf(part) + 1] ?? "";
    const year = text("year").length === 2 ? 2000 + Number(text("year")) : Number(text("year"));
    return dayOf(year, monthOf(text("month")), Number(text("day")));
  };
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function monthOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

/** Returns a day such as `2026-12-31`; undefined for a day that does not exist in the calendar. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
