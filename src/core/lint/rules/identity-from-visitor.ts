import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const identityFromVisitor: Rule = {
  name: "identity_from_visitor",
  severity: "warning",
  about:
    "A block signs the visitor in at Zendesk with an id that the visitor typed. Anyone who types another person's id can read that person's chats. Ids from other sources, such as the page or a request, are not reported.",
  advice: "Get the id from your own system, for example from a variable that your page sets, or leave it out.",
  *find(linted) {
    const { blocks, references } = linted;
    const signing = blocks.filter(({ block }) => block.type === "zendesk");
    if (signing.length === 0) return;
    const typed = typedNames(linted);
    for (const { block, group, node, path } of signing) {
      const place = `${path}.options.userId`;
      const named = references[node]?.mentions.find(({ name, path: at }) => at === place && typed.has(name));
      if (!named) continue;
      const message = `Visitors type "${named.name}": anyone who types another person's id can read that person's chats.`;
      yield { path: place, groupId: group.id, blockId: block.id, message };
    }
  },
};

/** Returns the names of variables that inputs write. */
function typedNames({ flow, blocks, references, registry }: LintedFlow): ReadonlySet<string> {
  const ids = new Set(
    blocks.flatMap(({ block, node }) =>
      registry.get(block.type)?.family === "input" ? (references[node]?.writes ?? []).map(({ id }) => id) : [],
    ),
  );
  return new Set(flow.variables.flatMap(({ id, name }) => (ids.has(id) ? [name] : [])));
}
