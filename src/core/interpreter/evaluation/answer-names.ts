import type { BlockDefinition } from "../program/block.ts";
import type { Program } from "../program/program.ts";
import { writtenVariables } from "../schemas/schema.ts";

/**
 * Names of the variables that blocks of a flow write answers of models to. A variable that an input also writes may
 * hold the visitor's own words, and is left out. Computed once for each program, when a text refers only to a variable.
 */
export function answerNames(program: Program, blocks: ReadonlyMap<string, BlockDefinition>): ReadonlySet<string> {
  const known = found.get(program);
  if (known) return known;
  const ids = new Set<string>();
  const typed = new Set<string>();
  for (const { block } of program.places.values()) {
    const definition = blocks.get(block.type);
    const id = definition?.answerVariable?.(block);
    if (id !== undefined) ids.add(id);
    if (definition?.input) for (const written of writtenVariables(definition.schema, block)) typed.add(written);
  }
  const names = program.variables.list.flatMap(({ id, name }) => (ids.has(id) && !typed.has(id) ? [name] : []));
  const answers = new Set(names);
  found.set(program, answers);
  return answers;
}

const found = new WeakMap<Program, ReadonlySet<string>>();
