import type { Change } from "../../editing/changes/change.ts";
import { secretIn } from "../../interpreter/language/secret-tokens.ts";
import type { Rule } from "../rule.ts";
import { eventWrites, takesForeignVariables } from "../variables.ts";

export const unknownVariable: Rule = {
  name: "unknown_variable",
  severity: "warning",
  about:
    "A block or an event refers to a variable that the flow does not have. Values that are written to the variable are lost, and reading it returns nothing. Names in texts must match exactly, including spaces. Names are not checked in flows that link to other bots, because linked bots can add variables.",
  advice: "Choose a variable of this flow, or add a variable with this name.",
  *find(linted) {
    const { flow, blocks, references, registry } = linted;
    const ids = new Set(flow.variables.map(({ id }) => id));
    const names = new Set(flow.variables.map(({ name }) => name));
    const judgesNames = !takesForeignVariables(linted);
    for (const { block, group, node } of blocks) {
      const said = references[node];
      if (!said || !registry.has(block.type)) continue;
      const at = { groupId: group.id, blockId: block.id };
      for (const { id, path } of said.writes) {
        if (!ids.has(id))
          yield { ...at, path, variableId: id, message: "No variable has this id, so the value is lost." };
      }
      for (const { id, path } of said.reads) {
        if (!ids.has(id))
          yield { ...at, path, variableId: id, message: "No variable has this id, so the value is always empty." };
      }
      if (!judgesNames || said.mentions.length === 0) continue;
      const missing = new Map<string, Set<string>>();
      for (const { name, path, in: place } of said.mentions) {
        if (names.has(name) || secretIn(name) !== undefined || (place === "code" && !looksLikeName.test(name)))
          continue;
        const inPath = missing.get(path);
        if (inPath) inPath.add(name);
        else missing.set(path, new Set([name]));
      }
      for (const [path, unknown] of missing) {
        const [variableName = "", ...others] = unknown;
        yield {
          ...at,
          path,
          variableName,
          ...(others.length > 0 && { variableNames: [...unknown] }),
          isFixable: [...unknown].some(isName),
          message: messageOf([...unknown]),
        };
      }
    }
    for (const { id, path, eventId } of eventWrites(flow)) {
      if (!ids.has(id))
        yield { eventId, path, variableId: id, message: "No variable has this id, so the value is lost." };
    }
  },
  fix: {
    about: "Adds a variable with this name, so that its values are stored and can be read.",
    changes({ variables }, findings, { newId }) {
      const ids = new Set(variables.map(({ id }) => id));
      const names = new Set(variables.map(({ name }) => name));
      const add = (value: { readonly id: string; readonly name: string }): Change[] => {
        if (ids.has(value.id) || names.has(value.name)) return [];
        ids.add(value.id);
        names.add(value.name);
        return [{ op: "add", of: "variable", value }];
      };
      return findings.flatMap(({ variableId, variableName, variableNames }): Change[] => {
        if (variableId !== undefined) return add({ id: variableId, name: variableName ?? freeName(names) });
        const missing = variableNames ?? (variableName === undefined ? [] : [variableName]);
        return missing.filter(isName).flatMap((name) => add({ id: newId(), name }));
      });
    },
  },
};

/** Returns one message for all unknown names at a position. */
function messageOf([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return `No variable is named "${first}", so nothing is inserted in its place.`;
  const listed = [first, ...others]
    .slice(0, mostNamed)
    .map((name) => `"${name}"`)
    .join(", ");
  const more = others.length + 1 > mostNamed ? ` and ${others.length + 1 - mostNamed} more` : "";
  return `No variables are named ${listed}${more}, so nothing is inserted in their places.`;
}

const mostNamed = 5;

/** Whether a name is valid for a variable in the editor. */
function isName(name: string): boolean {
  return name.trim() === name && name.length <= 255;
}

function freeName(names: ReadonlySet<string>): string {
  let number = 1;
  while (names.has(`Variable ${number}`)) number++;
  return `Variable ${number}`;
}

/**
 * Matches names but not code, which contains brackets. A word in a name may start with an emoji, a currency sign or a
 * point, which JavaScript does not allow.
 */
const looksLikeName = /^[\p{L}\p{So}_][\p{L}\p{M}\p{N}\p{So}\p{Sc} _.-]*$/u;
