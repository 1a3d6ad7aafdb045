const names = ["Name", "City", "Food", "Colour", "Wish"];

/**
 * Creates a flow with at most five questions. A chat reaches `2 × questions + 1` blocks, and each bubble after the
 * first shows earlier answers. `extraGroups` adds groups of one block that no chat reaches, to make the flow larger.
 */
export function askQuestions({ questions = 5, extraGroups = 0 } = {}) {
  const asked = names.slice(0, questions);
  const groups = asked.map((name, index) => ({
    id: `gr${index}`,
    title: name,
    graphCoordinates: { x: index * 300, y: 0 },
    blocks: [
      bubble(
        `tx${index}`,
        index === 0
          ? "Hello! What is your name?"
          : `Thank you, {{${asked[index - 1]}}}. And your ${name.toLowerCase()}, {{Name}}?`,
      ),
      { id: `in${index}`, type: "text input", outgoingEdgeId: `ed${index + 1}`, options: { variableId: `va${index}` } },
    ],
  }));
  const last = {
    id: `gr${asked.length}`,
    title: "End",
    graphCoordinates: { x: 1500, y: 0 },
    blocks: [bubble(`tx${asked.length}`, "Goodbye {{Name}} of {{City}}.")],
  };
  const edges = [
    { id: "ed0", from: { eventId: "ev0" }, to: { groupId: "gr0" } },
    ...asked.map((_, index) => ({
      id: `ed${index + 1}`,
      from: { blockId: `in${index}` },
      to: { groupId: `gr${index + 1}` },
    })),
  ];
  const extra = Array.from({ length: extraGroups }, (_, index) => ({
    id: `xg${index}`,
    title: `Extra ${index}`,
    graphCoordinates: { x: 0, y: 500 },
    blocks: [bubble(`xt${index}`, `Never shown ${index} {{Name}}`)],
  }));
  return {
    version: "6.1",
    name: `${asked.length} questions and ${extraGroups} more groups`,
    events: [{ id: "ev0", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed0" }],
    groups: [...groups, last, ...extra],
    edges,
    variables: names.map((name, index) => ({ id: `va${index}`, name })),
    theme: {},
    settings: {},
  };
}

export const fiveReplies = ["Ada Lovelace", "London", "Bread and butter", "Blue", "An engine"];

function bubble(id: string, text: string) {
  return { id, type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } };
}
