/** An item that a reply can identify by its text, value or id. */
export type Nameable = {
  readonly id?: string | undefined;
  readonly content: string;
  readonly value?: string | undefined;
};

/**
 * Returns the items that a reply lists in order, separated by spaces, commas, semicolons or `>`. All items may instead
 * be given by number, starting at 1. Returns undefined if the reply contains any other text.
 */
export function saidInOrder<Named extends Nameable>(names: readonly Named[], text: string): Named[] | undefined {
  return byName(names, text) ?? byNumber(names, text);
}

function byName<Named extends Nameable>(names: readonly Named[], text: string): Named[] | undefined {
  const forms = names
    .flatMap((named) =>
      [named.content, named.value, named.id].map((form) => ({ named, form: form?.trim().toLowerCase() ?? "" })),
    )
    .filter(({ form }) => form !== "")
    .toSorted((a, b) => b.form.length - a.form.length);
  const said: Named[] = [];
  for (let rest = text.toLowerCase().trim(); rest !== ""; ) {
    const found = forms.find(({ form }) => rest.startsWith(form) && isEnd(rest, form.length));
    if (!found || said.length === names.length) return undefined;
    said.push(found.named);
    rest = rest.slice(found.form.length).replace(between, "");
  }
  return said;
}

const between = /^[\s,;>]+/;

function isEnd(text: string, at: number): boolean {
  return at === text.length || between.test(text.slice(at, at + 1));
}

function byNumber<Named>(names: readonly Named[], text: string): Named[] | undefined {
  if (!/^\d{1,3}(?:[\s,;>]+\d{1,3})*$/.test(text.trim())) return undefined;
  const numbered = text.match(/\d+/g)?.map((number) => names[Number(number) - 1]) ?? [];
  return numbered.every((named) => named !== undefined) ? numbered : undefined;
}
