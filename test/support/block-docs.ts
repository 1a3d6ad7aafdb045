import { Kind, type TSchema } from "@sinclair/typebox";
import { blocks as servedBlocks } from "../../src/core/blocks/index.ts";
import type { BlockDefinition, BlockRegistry } from "../../src/core/interpreter/program/block.ts";
import type { BlockExample } from "../../src/core/interpreter/program/block-editor.ts";

/** An option of a block, shown as a row of the block's table. */
export type OptionRow = {
  readonly path: string;
  readonly type: string;
  readonly byDefault: string;
  readonly description: string;
};

/** Generates the documentation of all blocks from their definitions. */
export function blockDocs(blocks: BlockRegistry = servedBlocks): string {
  const sections = [...blocks.values()].map(section);
  return `# Blocks

Every block type that Parley runs: its purpose, the keys that it reads from a stored flow, and worked examples, which a test runs.
\`npm run docs\` generates this file from the block files; a test compares both.

Parley stores and returns keys and words that are not in a table unchanged, and treats them as absent. A default applies if the author
omits the option; it is never written into a flow.

${contents(blocks)}

${sections.join("\n")}
## Other types

Parley stores a block of an unknown type unchanged. A chat skips such a block, with a log entry that names the block and its type. \`start\` is a block of flows of versions 3 to 5, whose chats begin at its edge.
`;
}

/** Returns every option of a block with its path in a stored flow. */
export function optionRows({ schema }: Pick<BlockDefinition, "schema">): OptionRow[] {
  return rowsOf(schema, "");
}

function section(block: BlockDefinition): string {
  const rows = optionRows(block).map(
    (row) => `| \`${row.path}\` | ${row.type} | ${row.byDefault} | ${row.description} |`,
  );
  const table =
    rows.length === 0
      ? "The block reads no keys.\n"
      : `| Stored under | Type | Default | Meaning |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  return `## ${block.type}

${/^[aeiou]/.test(block.family) ? "An" : "A"} ${block.family} block. ${block.summary}

${table}
${block.examples.map(example).join("\n")}`;
}

function rowsOf(schema: TSchema, path: string): OptionRow[] {
  const here: OptionRow = {
    path,
    type: typeName(schema),
    byDefault: schema["default"] === undefined ? "" : `\`${JSON.stringify(schema["default"])}\``,
    description: cell(schema.description ?? ""),
  };
  if (schema[Kind] === "Object") {
    const inner = Object.entries<TSchema>(schema["properties"]);
    const rows = inner.flatMap(([name, property]) => rowsOf(property, path === "" ? name : `${path}.${name}`));
    return schema.description === undefined ? rows : [here, ...rows];
  }
  if (schema[Kind] === "Array" && schema["items"][Kind] === "Object") {
    const rows = rowsOf(schema["items"], `${path}[]`);
    return schema.description === undefined ? rows : [here, ...rows];
  }
  return [here];
}

function typeName(schema: TSchema): string {
  if (schema[Kind] === "Union") return [...new Set<string>(schema["anyOf"].map(typeName))].join(", ");
  if (schema[Kind] === "Literal") return `\`${schema["const"]}\``;
  if (schema[Kind] === "Array") return `list of ${typeName(schema["items"])}`;
  if (schema["namesWrittenVariable"] === true) return "id of a variable that the block sets";
  if (schema[Kind] === "String") return "text";
  if (schema[Kind] === "Unknown") return "anything";
  return String(schema[Kind]).toLowerCase();
}

function example({ title, block, variables, reply, expect }: BlockExample): string {
  const lines = [
    ["block", block],
    ["variables", variables],
    ["reply", reply],
    ["expect", expect],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${JSON.stringify(value)}`]));
  return `- ${title}\n\n  \`\`\`text\n${lines.join("\n")}\n  \`\`\`\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** Renders links to the sections. If two headings differ only in case, the second anchor has a number. */
function contents(blocks: BlockRegistry): string {
  const seen = new Map<string, number>();
  const links = [...blocks.keys()].map((type) => {
    const anchor = type.toLowerCase().replaceAll(" ", "-").replaceAll(".", "");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return `[${type}](#${anchor}${before === 0 ? "" : `-${before}`})`;
  });
  return links.join(" · ");
}
