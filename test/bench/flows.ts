/** Flows for the benchmarks, made by code so that their size can be chosen. */

/** Five questions; each bubble shows what was answered before. `extraGroups` are never walked: they only make the flow large. */
export function fiveQuestions({ extraGroups = 0 } = {}) {
  const questions = ["Name", "City", "Food", "Colour", "Wish"];
  const groups = questions.map((name, index) => ({
    id: `gr${index}`,
    title: name,
    graphCoordinates: { x: index * 300, y: 0 },
    blocks: [
      bubble(
        `tx${index}`,
        index === 0
          ? "Hello! What is your name?"
          : `Thank you, {{${questions[index - 1]}}}. And your ${name.toLowerCase()}, {{Name}}?`,
      ),
      { id: `in${index}`, type: "text input", outgoingEdgeId: `ed${index + 1}`, options: { variableId: `va${index}` } },
    ],
  }));
  const last = {
    id: "gr5",
    title: "End",
    graphCoordinates: { x: 1500, y: 0 },
    blocks: [bubble("tx5", "Goodbye {{Name}} of {{City}}.")],
  };
  const edges = [
    { id: "ed0", from: { eventId: "ev0" }, to: { groupId: "gr0" } },
    ...questions.map((_, index) => ({
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
    name: `Five questions and ${extraGroups} more groups`,
    events: [{ id: "ev0", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed0" }],
    groups: [...groups, last, ...extra],
    edges,
    variables: questions.map((name, index) => ({ id: `va${index}`, name })),
    theme: {},
    settings: {},
  };
}

export const fiveReplies = ["Ada Lovelace", "London", "Bread and butter", "Blue", "An engine"];

function bubble(id: string, text: string) {
  return { id, type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } };
}
