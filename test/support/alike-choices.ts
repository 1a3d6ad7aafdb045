type Item = { readonly id: string } & Readonly<Record<string, string>>;

/** A choice whose items are easily confused. */
export type Alike = {
  readonly name: string;
  readonly type: "choice input" | "picture choice input";
  readonly isMultiple: boolean;
  readonly items: readonly Item[];
};

const buttons = (name: string, ...labels: readonly (string | readonly [string, string])[]): Alike =>
  alike(name, "choice input", false, labels);
const several = (name: string, ...labels: readonly (string | readonly [string, string])[]): Alike =>
  alike(name, "choice input", true, labels);

function alike(
  name: string,
  type: Alike["type"],
  isMultiple: boolean,
  labels: readonly (string | readonly [string, string])[],
): Alike {
  const items = labels.map((label, index) => {
    const [content = "", value] = [label].flat();
    return { id: `k${"abcdefgh"[index]}q`, content, ...(value !== undefined && { value }) };
  });
  return { name, type, isMultiple, items };
}

function pictures(name: string, isMultiple: boolean, ...items: readonly Readonly<Record<string, string>>[]): Alike {
  const type = "picture choice input";
  return { name, type, isMultiple, items: items.map((item, index) => ({ id: `p${"abcd"[index]}q`, ...item })) };
}

const source = { pictureSrc: "https://example.com/a.png" };

/** Choices whose items have equal or similar labels or values. */
export const alikeChoices: readonly Alike[] = [
  buttons("two of one label", "Other", "Other"),
  buttons("three of one label", "Other", "Other", "Other"),
  buttons("blanks around", "Other", " Other "),
  buttons("one value", ["Small", "x"], ["Large", "x"]),
  buttons("a value that is another's label", ["Not at all", "No"], "No"),
  buttons("a label that is another's value", "No", ["Nope, never", "No"]),
  buttons("values crossed", ["A", "B"], ["B", "A"]),
  buttons("in a language with accents", "Größe", "Größe"),
  buttons("signs alone", "★★", "★★"),
  buttons("case alone", "Yes", "yes"),
  several("case alone, several", "US", "us", "Us"),
  several("one label, several", "Other", "Other"),
  several("blanks within, several", "New York", "New  York"),
  several("values in two cases, several", ["One", "x"], ["Two", "X"]),
  several("a label that is another's value, several", ["First", "second"], "Second"),
  several("numbers, several", "10", "1", "10"),
  several("with signs, several", "C++", "c++", "C"),
  several("with accents, several", "ÉTÉ", "été", "Été"),
  pictures("pictures of one title", false, { title: "Cat", value: "a", ...source }, { title: "Cat", value: "a" }),
  pictures("pictures of one title, several", true, { title: "Cat" }, { title: "cat" }, { title: "Dog" }),
];

/**
 * Returns a flow that asks all choices. The text after a single choice contains the index of the chosen item, and the
 * text after a multiple choice contains the stored answer.
 */
export function flowOfAlike(): object {
  const groups: object[] = [];
  const edges: object[] = [];
  const variables: object[] = [];
  const to = (id: string, from: object, groupId: string) => {
    edges.push({ id, from, to: { groupId } });
    return id;
  };
  const says = (id: string, text: string, outgoingEdgeId?: string) => ({
    id,
    type: "text",
    content: { richText: [{ type: "p", children: [{ text }] }] },
    ...(outgoingEdgeId !== undefined && { outgoingEdgeId }),
  });
  const start = to("begin", { eventId: "start" }, "g0");
  alikeChoices.forEach(({ type, isMultiple, items }, index) => {
    const blockId = `b${index}`;
    const next = `g${index + 1}`;
    const variableId = `v${index}`;
    variables.push({ id: variableId, name: `V${index}` });
    const title = "Ask";
    const graphCoordinates = { x: 0, y: index * 300 };
    const asked = items.map((item, at) => ({
      ...item,
      id: `${item.id}${index}q`,
      ...(!isMultiple && {
        outgoingEdgeId: to(`e${index}x${at}`, { blockId, itemId: `${item.id}${index}q` }, `g${index}x${at}`),
      }),
    }));
    groups.push({
      ...{ id: `g${index}`, title, graphCoordinates },
      blocks: [
        says(`s${index}`, `Set ${index}?`),
        { id: blockId, type, items: asked, options: { variableId, isMultipleChoice: isMultiple } },
        ...(isMultiple
          ? [says(`t${index}`, `${index} stored {{V${index}}}.`, to(`n${index}`, { blockId: `t${index}` }, next))]
          : []),
      ],
    });
    if (!isMultiple)
      items.forEach((_, at) => {
        const id = `t${index}x${at}`;
        const blocks = [says(id, `${index} went ${at}.`, to(`n${index}x${at}`, { blockId: id }, next))];
        groups.push({ id: `g${index}x${at}`, title: "Way", graphCoordinates, blocks });
      });
  });
  groups.push({
    id: `g${alikeChoices.length}`,
    title: "End",
    graphCoordinates: { x: 0, y: 9_000 },
    blocks: [says("end", "All asked.")],
  });
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: start }],
    ...{ groups, edges, variables },
    theme: {},
    settings: { typingEmulation: { enabled: false } },
  };
}

/** The text after each choice if the visitor chooses the items of `chosenOf`. */
export const alikeAnswers: readonly string[] = alikeChoices.map(({ isMultiple, items }, index) => {
  if (!isMultiple) return `${index} went 1.`;
  const words = [items[0], items.at(-1)].map(
    (item) => item?.["value"] ?? (item?.["content"] ?? item?.["title"])?.trim(),
  );
  return `${index} stored ${words.join(", ")}.`;
});

export function chosenOf({ isMultiple, items }: Alike): readonly number[] {
  return isMultiple ? [0, items.length - 1] : [1];
}
