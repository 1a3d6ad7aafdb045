import { parseArgs } from "node:util";
import { languages } from "../../../src/web/app/words/index.ts";
import { loadCatalogue } from "../../../src/web/app/words/load-catalogue.ts";
import { useOf } from "./catalogue.ts";
import { builder, languageFile, listLanguages, page, readLanguage, type Vocabulary, type Words } from "./files.ts";
import { keyFiles } from "./keys.ts";
import { rowsOf, tableOf, takeTable, textAt } from "./table.ts";

/**
 * `npm run words` generates the types of the English texts of the builder and the chat page, and lists the missing
 * texts of each language. With `--check`, it fails if a text is missing. `-- --export de` prints a table (CSV) for
 * translators of the builder, and `-- --import de FILE` imports it. With `--page`, the table contains the texts of the
 * chat page.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean" },
    page: { type: "boolean" },
    export: { type: "string" },
    import: { type: "string" },
  },
});
for (const { path, text } of keyFiles()) await Bun.write(path, text);
const chosen = values.page ? page : builder;
if (values.export !== undefined) process.stdout.write(tableFor(chosen, values.export));
else if (values.import !== undefined) await take(chosen, values.import, positionals[0] ?? "");
else {
  for (const vocabulary of [builder, page]) list(vocabulary);
  await listSentences();
}

function tableFor(vocabulary: Vocabulary, tag: string): string {
  const known = listLanguages(vocabulary).includes(tag) ? readLanguage(vocabulary, tag) : {};
  return tableOf(rowsOf(vocabulary.readEnglish(), tag), known);
}

/**
 * Imports a table. The first table of a new language creates its file; `languages/index.ts` must then be extended
 * manually.
 */
async function take(vocabulary: Vocabulary, tag: string, path: string): Promise<void> {
  const file = Bun.file(languageFile(vocabulary, tag));
  const all: Words = (await file.exists()) ? await file.json() : {};
  const { words, problems } = takeTable(await Bun.file(path).text(), rowsOf(vocabulary.readEnglish(), tag), all);
  await Bun.write(file, `${JSON.stringify(words, null, 2)}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function list(vocabulary: Vocabulary): void {
  for (const tag of listLanguages(vocabulary)) {
    const words = readLanguage(vocabulary, tag);
    const lacks = rowsOf(vocabulary.readEnglish(), tag).filter(({ path }) => textAt(words, path) === undefined);
    const end = lacks.length === 0 ? "." : ":";
    process.stdout.write(`${tag} lacks ${lacks.length} texts of the ${vocabulary.name}${end}\n`);
    for (const { path, english: text } of lacks) process.stdout.write(`  ${path.join(" > ")}: ${text}\n`);
    if (values.check && lacks.length > 0) process.exitCode = 1;
  }
}

/** Lists the missing sentences of the service's catalogue: those of blocks, credentials, the theme and the settings. */
async function listSentences(): Promise<void> {
  for (const tag of languages.slice(1)) {
    const { missing } = useOf(await loadCatalogue(tag));
    process.stdout.write(`${tag} lacks ${missing.size} sentences of the catalogue${missing.size === 0 ? "." : ":"}\n`);
    for (const sentence of missing) process.stdout.write(`  ${sentence}\n`);
    if (values.check && missing.size > 0) process.exitCode = 1;
  }
}
