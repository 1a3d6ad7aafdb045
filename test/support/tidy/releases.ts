/** The input of the rule about release samples. */
export type ReleaseFacts = {
  readonly migrations: readonly { readonly name: string; readonly text: string }[];
  /**
   * The number of migrations in the newest commit before the last run of new migrations. Undefined if the history is
   * too short.
   */
  readonly before: number | undefined;
  /** The names of the samples with their sizes in bytes. */
  readonly samples: ReadonlyMap<string, number>;
  readonly maxBytes: number;
};

/**
 * Returns problems with release samples. A migration that changes an existing table requires a sample of the previous
 * release, so that each test run applies it to rows that this release has written.
 */
export function releaseProblems({ migrations, before, samples, maxBytes }: ReleaseFacts): string[] {
  const names = migrations.map(({ name }) => name.replace(/\.sql$/, ""));
  const problems: string[] = [];
  for (const [sample, bytes] of samples) {
    if (!names.includes(sample)) problems.push(`test/releases/${sample}.tar: no migration has this name, remove it`);
    if (bytes > maxBytes) problems.push(`test/releases/${sample}.tar: more than ${maxBytes} bytes`);
  }
  if (before === undefined) return problems;
  const last = names[before - 1] ?? "";
  const [changed] = changedTables(migrations.slice(0, before), migrations.slice(before));
  if (changed === undefined || samples.has(last)) return problems;
  return [
    ...problems,
    `${changed.migration} changes ${changed.table}: "npm run release-sample" writes test/releases/${last}.tar, whose rows it will meet`,
  ];
}

type Texts = readonly { readonly name: string; readonly text: string }[];

function changedTables(older: Texts, newer: Texts): { readonly migration: string; readonly table: string }[] {
  const known = new Set(
    older.flatMap(({ text }) => tablesOf(text, /create (?:unlogged )?table (?:if not exists )?(\w+)/gi)),
  );
  return newer.flatMap(({ name, text }) =>
    tablesOf(text, changes)
      .filter((table) => known.has(table))
      .map((table) => ({ migration: name, table })),
  );
}

const changes =
  /\b(?:alter table|drop table|truncate(?: table)?|update|insert into|delete from|merge into)\s+(?:if exists\s+)?(?:only\s+)?(\w+)/gi;

function tablesOf(text: string, pattern: RegExp): string[] {
  const statements = text.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  return [...statements.matchAll(pattern)].map(([, table = ""]) => table.toLowerCase());
}
