import { fiveQuestions } from "./flows.ts";
import type { LoadReport } from "./load.ts";

/** What this section needs of the run: a published flow, load on it, and rows of a table. */
export type Bench = {
  publish(flow: object): Promise<string>;
  load(publicId: string, options: { concurrency: number; replies?: readonly string[] }): Promise<LoadReport>;
  print(line: string): void;
};

const concurrency = 4;

/** How ordinary chats fare beside chats whose scripts never end, and what scripts cost where they do. */
export async function measureHostile({ publish, load, print }: Bench): Promise<void> {
  const ordinary = await publish(fiveQuestions());
  const hostile = await publish(endlessScripts());
  const quiet = await load(ordinary, { concurrency });
  const [attacked, attack] = await Promise.all([
    load(ordinary, { concurrency }),
    load(hostile, { concurrency, replies: Array.from({ length: 1_000 }, () => "go") }),
  ]);
  print(
    `\n| ${concurrency} chats | quiet | beside ${concurrency} whose scripts never end | ratio |\n|---|---|---|---|`,
  );
  for (const figure of ["p50", "p95", "p99"] as const) {
    const ratio = (attacked.steps[figure] / quiet.steps[figure]).toFixed(2);
    print(`| continueChat ${figure} ms | ${quiet.steps[figure]} | ${attacked.steps[figure]} | ${ratio} |`);
  }
  const rates = [quiet, attacked].map(({ steps, seconds }) => Math.round(steps.count / seconds));
  print(`| continueChat/s | ${rates.join(" | ")} | ${((rates[1] ?? 0) / (rates[0] ?? 0)).toFixed(2)} |`);
  print(
    `\nThe endless scripts took ${attack.steps.count} steps, p50 ${attack.steps.p50} ms, p99 ${attack.steps.p99} ms.`,
  );

  const withExpression = await load(await publish(withBlock(expression)), { concurrency: 8 });
  const withScript = await load(await publish(withBlock(script)), { concurrency: 8 });
  const without = await load(ordinary, { concurrency: 8 });
  print("\n| at 8 concurrent | plain | an expression a step | a script a step |\n|---|---|---|---|");
  const reports = [without, withExpression, withScript];
  print(`| continueChat/s | ${reports.map(({ steps, seconds }) => Math.round(steps.count / seconds)).join(" | ")} |`);
  print(`| continueChat p50 ms | ${reports.map(({ steps }) => steps.p50).join(" | ")} |`);
}

/** After each reply, scripts that never end, until the step's budget is gone: the chat stays where it was. */
function endlessScripts() {
  return {
    version: "6.1",
    name: "Scripts without end",
    events: [{ id: "ev0", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed0" }],
    groups: [
      {
        id: "gr0",
        title: "Ask",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [{ id: "in0", type: "text input" }, endless],
      },
    ],
    edges: [
      { id: "ed0", from: { eventId: "ev0" }, to: { groupId: "gr0" } },
      { id: "ed1", from: { blockId: "sc0" }, to: { groupId: "gr0", blockId: "sc0" } },
    ],
    variables: [],
    theme: {},
    settings: {},
  };
}

const endless = {
  id: "sc0",
  type: "Code",
  outgoingEdgeId: "ed1",
  options: { isExecutedOnClient: false, content: "for (;;);" },
};

const expression = (index: number) => ({
  id: `sv${index}`,
  type: "Set variable",
  options: { variableId: "va4", expressionToEvaluate: "{{Name}}.trim().split(' ').reverse().join(', ')" },
});
const script = (index: number) => ({
  id: `sc${index}`,
  type: "Code",
  options: {
    isExecutedOnClient: false,
    content: "const words = String({{Name}}).split(' '); setVariable('Wish', words.map((word) => word[0]).join('.'))",
  },
});

/** The five questions, with one more block before each. */
function withBlock(make: (index: number) => object) {
  const flow = fiveQuestions();
  const groups = flow.groups.map((group, index) => ({ ...group, blocks: [make(index), ...group.blocks] }));
  return { ...flow, groups };
}
