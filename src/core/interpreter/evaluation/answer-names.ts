import type { BlockDefinition } from "../program/block.ts";
import type { Program } from "../program/program.ts";
import { writtenVariables } from "../schemas/schema.ts";

/**
 * Returns the names of variables that contain answers of models. Variables that an input also writes are excluded,
 * because they may contain text from the visitor. The result is cached per program.
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
