import { blockIdOf, firstScene, type Part, type Scene, type Script, type Timed, variables } from "./scripts.ts";

/** The ids that the service created and that a flow contains, and the URL that the flow calls. */
export type Surroundings = {
  readonly stripeId: string;
  readonly modelId: string;
  readonly fetchUrl: string;
  botIdOf(flow: string): string;
};

type Edge = { readonly id: string; readonly from: object; readonly to: { readonly groupId: string } };

/**
 * Returns the flow of a script in the builder's format. The texts of later editions contain the edition, so that
 * visitors see their version.
 */
export function flowOfScript(script: Script, edition: number, surroundings: Surroundings): object {
  const edges: Edge[] = [];
  const edgeTo = (id: string, scene: string, from: object): string => {
    edges.push({ id, from, to: { groupId: scene } });
    return id;
  };
  const groups = Object.entries(script.scenes).map(([title, scene], index) => ({
    id: title,
    title,
    graphCoordinates: { x: 300 * index, y: 0 },
    blocks: blocksOf(title, scene),
  }));

  function blocksOf(title: string, { parts, next }: Scene): object[] {
    return parts.map((part, index) => {
      const id = blockIdOf({ scene: title, index });
      const isLast = index === parts.length - 1;
      const outgoing = isLast && next !== undefined && { outgoingEdgeId: edgeTo(`${id}-on`, next, { blockId: id }) };
      return { id, ...blockOf(part, id), ...outgoing };
    });
  }

  function timeoutOf(id: string, timed: Timed | undefined): object {
    if (!timed) return {};
    const outgoingEdgeId = edgeTo(`${id}-late`, timed.late, { blockId: id });
    return { timeout: { after: timed.seconds, outgoingEdgeId } };
  }

  function blockOf(part: Part, id: string): object {
    if ("say" in part) return { type: "text", content: bubble(withEdition(part.say, edition)) };
    if ("set" in part)
      return { type: "Set variable", options: { variableId: part.set, expressionToEvaluate: part.to } };
    if ("ask" in part)
      return { type: `${part.ask} input`, options: { variableId: part.into, ...timeoutOf(id, part.timed) } };
    if ("choose" in part) {
      const items = Object.entries(part.choose).map(([content, scene]) => {
        const itemId = `${id}-${content}`;
        return { id: itemId, content, outgoingEdgeId: edgeTo(`${itemId}-on`, scene, { blockId: id, itemId }) };
      });
      return { type: "choice input", items, options: timeoutOf(id, part.timed) };
    }
    if ("pay" in part) {
      const failure = { outgoingEdgeId: edgeTo(`${id}-failed`, part.else, { blockId: id }) };
      const options = { credentialsId: surroundings.stripeId, amount: part.pay, currency: "EUR", failure };
      return { type: "payment input", options: { ...options, ...timeoutOf(id, part.timed) } };
    }
    if ("fetch" in part) {
      const webhook = { url: surroundings.fetchUrl, method: "POST", body: '{ "note": "{{Note}}" }' };
      const responseVariableMapping = [{ id: `${id}-maps`, variableId: part.fetch, bodyPath: "data.value" }];
      return { type: "Webhook", options: { webhook, isCustomBody: true, responseVariableMapping } };
    }
    if ("model" in part) {
      const options = {
        ...{ action: "Create chat completion", credentialsId: surroundings.modelId, model: "echo" },
        messages: [{ id: `${id}-asks`, role: "user", content: "{{Note}}" }],
        responseMapping: [{ id: `${id}-maps`, variableId: part.model }],
      };
      return { type: "openai", options };
    }
    if ("address" in part) {
      const hears = Object.entries(script.scenes).flatMap(([scene, { parts }]) =>
        parts.flatMap((each, index) => ("hear" in each ? [blockIdOf({ scene, index })] : [])),
      );
      return {
        type: "Set variable",
        options: { variableId: part.address, type: "Callback address", blockId: hears[0] },
      };
    }
    if ("hear" in part) {
      const responseVariableMapping = [{ id: `${id}-maps`, variableId: part.hear, bodyPath: "data.order" }];
      return { type: "webhook", options: { responseVariableMapping, ...timeoutOf(id, part.timed) } };
    }
    if ("wait" in part) return { type: "Wait", options: { secondsToWaitFor: String(part.wait), shouldPause: true } };
    return {
      type: "Typebot link",
      options: { typebotId: surroundings.botIdOf(part.link), mergeResults: part.isMerging },
    };
  }

  const start = edgeTo("start-on", firstScene(script), { eventId: "start" });
  const commands = Object.entries(script.commands ?? {}).map(([command, { to, resumes }]) => ({
    ...{ id: `command-${command}`, type: "command", graphCoordinates: { x: 0, y: 0 } },
    options: { command, resumeAfter: resumes },
    outgoingEdgeId: edgeTo(`command-${command}-on`, to, { eventId: `command-${command}` }),
  }));
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: start }, ...commands],
    groups,
    edges,
    variables: variables.map((name) => ({ id: name, name })),
    settings: {
      general: { isGoBackEnabled: true, rememberUser: { isEnabled: true, storage: "session" } },
      answers: { isRated: true, canTryAgain: true },
    },
  };
}

/** Returns the text of a bubble in the edition. */
export function withEdition(text: string, edition: number): string {
  return edition === 1 ? text : `${text} (${edition})`;
}

function bubble(text: string): object {
  return { richText: [{ type: "p", children: [{ text }] }] };
}
