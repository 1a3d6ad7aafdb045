import type { FormLayout } from "../../../../core/interpreter/schemas/form-layout.ts";
import type { Catalogue } from "../../words/catalogue/catalogue.ts";
import type { FieldSchema } from "../schema.ts";
import type { BlockType, CredentialType, FlowSchemas } from "./block-type.ts";
import { wordsOf } from "./field-words.ts";

export { loadCatalogue } from "../../words/load-catalogue.ts";

/**
 * Translates the texts of the catalogue. Undefined means that there is no translation and the English text is shown.
 */
export type Speaker = {
  text(english: string): string | undefined;
  /** Translates a keyword that the field with this key accepts; undefined if there is no translation. */
  choice(key: string, word: string): string | undefined;
  search(word: string): string | undefined;
};

export function speakerOf({ texts, choices, search }: Catalogue): Speaker {
  const own = (record: Readonly<Record<string, string>>, key: string) =>
    Object.hasOwn(record, key) ? record[key] : undefined;
  return {
    text: (english) => own(texts, english),
    choice: (key, word) => own(choices, `${key}: ${word}`) ?? own(choices, word),
    search: (word) => own(search, word),
  };
}

/** Translates a block type to the author's language. The search still finds the English keywords. */
export function blockTypeSpoken(type: BlockType, speaker: Speaker): BlockType {
  const { editor, summary, schema, examples } = type;
  const name = speaker.text(editor.name) ?? editor.name;
  const words = editor.words.map((word) => speaker.search(word) ?? word);
  return {
    ...type,
    summary: speaker.text(summary) ?? summary,
    schema: schemaSpoken(schema, speaker),
    editor: {
      ...editor,
      name,
      words: [...new Set([...words, ...editor.words, ...(name === editor.name ? [] : [editor.name])])],
      row: editor.row.map((template) => (hasWords(template) && speaker.text(template)) || template),
      ...(editor.form && { form: layoutSpoken(editor.form, speaker) }),
    },
    examples: examples.map((example) => ({ ...example, title: speaker.text(example.title) ?? example.title })),
  };
}

/** Translates a type of credentials to the author's language. */
export function credentialTypeSpoken(type: CredentialType, speaker: Speaker): CredentialType {
  const { name, summary, schema } = type;
  return {
    ...type,
    name: speaker.text(name) ?? name,
    summary: speaker.text(summary) ?? summary,
    schema: { ...schema, ...schemaSpoken(schema, speaker) },
  };
}

export function schemasSpoken(schemas: FlowSchemas, speaker: Speaker): FlowSchemas {
  const spoken = (name: keyof FlowSchemas) => schemaSpoken(schemas[name], speaker);
  return {
    ...{ theme: spoken("theme"), settings: spoken("settings"), event: spoken("event") },
    ...{ variable: spoken("variable"), group: spoken("group"), edge: spoken("edge") },
  };
}

/** Translates the titles, help texts and keywords of a schema. `key` is the key of the field. */
export function schemaSpoken(schema: FieldSchema, speaker: Speaker, key = ""): FieldSchema {
  const { title, help, properties, items, anyOf, isCondition } = schema;
  // Labels that the service sends, such as the names of languages, are not translated.
  const words = schema.wordTitles ? [] : wordsOf(schema);
  const titles = words.flatMap((word) => {
    const said = speaker.choice(key, word);
    return said === undefined ? [] : [[word, said] as const];
  });
  return {
    ...schema,
    ...(title !== undefined && { title: speaker.text(title) ?? title }),
    ...(help !== undefined && { help: speaker.text(help) ?? help }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, schemaSpoken(field, speaker, name)]),
      ),
    }),
    ...(items && { items: schemaSpoken(items, speaker, key) }),
    ...(anyOf && { anyOf: anyOf.map((choice) => schemaSpoken(choice, speaker, key)) }),
    ...(titles.length > 0 && { wordTitles: Object.fromEntries(titles) }),
    ...(isCondition && { joiners: { AND: speaker.text("and") ?? "and", OR: speaker.text("or") ?? "or" } }),
  };
}

function layoutSpoken(layout: FormLayout, speaker: Speaker): FormLayout {
  return layout.map((row) => {
    if ("tabs" in row)
      return {
        tabs: row.tabs.map((tab) => ({
          ...tab,
          title: speaker.text(tab.title) ?? tab.title,
          rows: layoutSpoken(tab.rows, speaker),
        })),
      };
    if ("fold" in row) return { fold: speaker.text(row.fold) ?? row.fold, rows: layoutSpoken(row.rows, speaker) };
    return row;
  });
}

/** Whether the template of a block's text contains words, and not only placeholders. */
function hasWords(template: string): boolean {
  return /\p{L}{2}/u.test(template.replaceAll(/\{[^}]*\}/g, ""));
}
