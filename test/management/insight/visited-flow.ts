import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

/** The time at which a visit begins, and its day in Berlin. */
export type Moment = { readonly at: string; readonly day: string };

export const zone = "Europe/Berlin";

/** Periods of three days. The second day has 23 hours in spring, and 25 in autumn. */
export const windows = {
  spring: {
    ...{ from: "2026-03-28T00:00:00+01:00", to: "2026-03-31T00:00:00+02:00" },
    days: ["2026-03-28", "2026-03-29", "2026-03-30"],
  },
  autumn: {
    ...{ from: "2026-10-24T00:00:00+02:00", to: "2026-10-27T00:00:00+01:00" },
    days: ["2026-10-24", "2026-10-25", "2026-10-26"],
  },
} as const;

/** Times of visits, most of them around midnight in Berlin or around a change of its clock. */
export const moments: readonly Moment[] = [
  { at: "2026-03-27T22:59:00Z", day: "2026-03-27" },
  { at: "2026-03-27T23:00:00Z", day: "2026-03-28" },
  { at: "2026-03-28T22:59:00Z", day: "2026-03-28" },
  { at: "2026-03-28T23:00:00Z", day: "2026-03-29" },
  { at: "2026-03-29T00:59:00Z", day: "2026-03-29" },
  { at: "2026-03-29T01:00:00Z", day: "2026-03-29" },
  { at: "2026-03-29T21:59:00Z", day: "2026-03-29" },
  { at: "2026-03-29T22:00:00Z", day: "2026-03-30" },
  { at: "2026-03-30T21:59:00Z", day: "2026-03-30" },
  { at: "2026-03-30T22:00:00Z", day: "2026-03-31" },
  { at: "2026-07-01T10:07:00Z", day: "2026-07-01" },
  { at: "2026-10-23T21:59:00Z", day: "2026-10-23" },
  { at: "2026-10-23T22:00:00Z", day: "2026-10-24" },
  { at: "2026-10-24T21:59:00Z", day: "2026-10-24" },
  { at: "2026-10-24T22:00:00Z", day: "2026-10-25" },
  { at: "2026-10-25T00:30:00Z", day: "2026-10-25" },
  { at: "2026-10-25T01:30:00Z", day: "2026-10-25" },
  { at: "2026-10-25T22:59:00Z", day: "2026-10-25" },
  { at: "2026-10-25T23:00:00Z", day: "2026-10-26" },
  { at: "2026-10-26T22:59:00Z", day: "2026-10-26" },
  { at: "2026-10-26T23:00:00Z", day: "2026-10-27" },
];
export const secondVersionFrom = "2026-03-29T01:00:00Z";
export const canaryFrom = "2026-10-24T22:00:00Z";

const prices = [
  { amount: 12.5, currency: "EUR" },
  { amount: 500, currency: "JPY" },
  { amount: 20_000.25, currency: "EUR" },
] as const;

/** Returns the price of a version, in whole units of its currency. */
export function priceOf(version: number | undefined): (typeof prices)[number] {
  const price = prices[(version ?? 0) - 1];
  if (!price) throw new Error(`No version ${version} is paid`);
  return price;
}

const plans = [
  { id: "free", content: "Free", outgoingEdgeId: idOf("e1") },
  { id: "pro", content: "Pro", outgoingEdgeId: idOf("e2") },
  { id: "no", content: "Not now" },
];
const sizes = [
  { id: "small", content: "Small" },
  { id: "large", content: "Large" },
];

/** The edges of choices, by answer. */
export const edgeOfPlan = new Map(plans.map(({ content, outgoingEdgeId }) => [content, outgoingEdgeId]));
export const noCodeEdge = idOf("e3");
export const noMoneyEdge = idOf("e4");

/**
 * Returns a flow with a loop, questions with timeouts, a payment, and paths to several ends. The second version has
 * another question in its loop, and the third version has an additional question.
 */
export function flowOfVersion(version: 1 | 2 | 3, credentialsId: string) {
  const [x, y] = [420, 460];
  const { amount, currency } = priceOf(version);
  const aside = version === 1 ? "why" : "mail";
  const flow = flowOf(
    [says(`Welcome ${version}`), asks("choice input", {}, { id: "plan", items: plans })],
    [asks(version === 1 ? "text input" : "email input", {}, { id: aside, outgoingEdgeId: idOf("again") })],
    [
      asks("text input", { variableId: idOf("Name") }, { id: "name" }),
      asks("text input", { timeout: { after: 60, outgoingEdgeId: noCodeEdge } }, { id: "code" }),
      asks(
        "payment input",
        {
          credentialsId,
          ...{ amount: String(amount), currency },
          timeout: { after: 60, outgoingEdgeId: noMoneyEdge },
        },
        { id: "pay" },
      ),
      ...(version === 3 ? [asks("choice input", {}, { id: "size", items: sizes })] : []),
      asks("rating input", {}, { id: "stars" }),
      says("Bye"),
    ],
    [says("Nobody there")],
    [says("We wait for your money"), asks("text input", {}, { id: "word" })],
  );
  const at = [
    { x: 320, y: 0 },
    { x: 320 + x, y },
    { x: 320 + x, y: 0 },
    { x: 320 + 2 * x, y: 0 },
    { x: 320 + 2 * x, y },
  ];
  return {
    ...flow,
    groups: flow.groups.map((group, index) => ({ ...group, graphCoordinates: at[index] })),
    edges: [...flow.edges, { id: idOf("again"), from: { blockId: aside }, to: { groupId: idOf("g0") } }],
    settings: { general: { isGoBackEnabled: true }, typingEmulation: { enabled: false } },
  };
}

/** Blocks whose answers the figures list separately. */
export const listedBlocks: ReadonlySet<string> = new Set(["plan", "size", "stars"]);
