import { parseArgs } from "node:util";
import { languages } from "../../../src/web/app/words/index.ts";
import { loadCatalogue } from "../../../src/web/app/words/load-catalogue.ts";
import { useOf } from "./catalogue.ts";
import { keysFile, languageFile, listLanguages, readEnglish, readLanguage, type Words } from "./files.ts";
import { keysOf } from "./keys.ts";
import { rowsOf, tableOf, takeTable, textAt } from "./table.ts";

/**
 * `npm run words` writes the types of the English words of the builder, and lists what each language lacks; with
 * `--check` it fails where one lacks something. `-- --export de` prints a table (CSV) for translators, and `-- --import
 * de FILE` takes it back.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean" }, export: { type: "string" }, import: { type: "string" } },
});
const english = readEnglish();
await Bun.write(keysFile, keysOf(english));
if (values.export !== undefined) process.stdout.write(tableOf(rowsOf(english, values.export), wordsOf(values.export)));
else if (values.import !== undefined) await take(values.import, positionals[0] ?? "");
else {
  list();
  await listSentences();
}

function wordsOf(tag: string): Words {
  return listLanguages().includes(tag) ? readLanguage(tag) : {};
}

/** A new language begins with its first table; `languages/index.ts` then needs a line for it. */
async function take(tag: string, path: string): Promise<void> {
  const file = Bun.file(languageFile(tag));
  const all: Words = (await file.exists()) ? await file.json() : {};
  const { words, problems } = takeTable(await Bun.file(path).text(), rowsOf(english, tag), all);
  await Bun.write(file, `${JSON.stringify(words, null, 2)}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function list(): void {
  for (const tag of listLanguages()) {
    const words = readLanguage(tag);
    const lacks = rowsOf(english, tag).filter(({ path }) => textAt(words, path) === undefined);
    process.stdout.write(`${tag} lacks ${lacks.length} texts${lacks.length === 0 ? "." : ":"}\n`);
    for (const { path, english: text } of lacks) process.stdout.write(`  ${path.join(" > ")}: ${text}\n`);
    if (values.check && lacks.length > 0) process.exitCode = 1;
  }
}

/** Those of the service's catalogue: of blocks, credentials, theme and settings. */
async function listSentences(): Promise<void> {
  for (const tag of languages.slice(1)) {
    const { missing } = useOf(await loadCatalogue(tag));
    process.stdout.write(`${tag} lacks ${missing.size} sentences of the catalogue${missing.size === 0 ? "." : ":"}\n`);
    for (const sentence of missing) process.stdout.write(`  ${sentence}\n`);
    if (values.check && missing.size > 0) process.exitCode = 1;
  }
}
