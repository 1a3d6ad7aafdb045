import { gaps, type Line, type Node, type Spot, snapped, snappedDown } from "./node.ts";
import { type Columns, ordersOf } from "./order.ts";
import { boxOf, type Drawn, draw, faultsOf, spanWithin } from "./picture.ts";

/**
 * Arranges connected cards from left to right. For a small flow, several orders are compared by `faultsOf`. The upper
 * edges of the cards are aligned, which is easier to read than aligned middles.
 */
export function layOutColumns(nodes: readonly Node[], links: readonly Line[]): ReadonlyMap<string, Spot> {
  const [only] = nodes;
  if (only && nodes.length === 1) return new Map([[only.id, { x: 0, y: 0 }]]);
  const orders = ordersOf(nodes, links);
  const isSmall = links.length <= mostMeasured;
  const trials = (isSmall ? orders : orders.slice(-1)).map((columns) => {
    const trial = trialOf(columns, links, isSmall);
    return isSmall && nodes.length <= mostTurned ? bettered(trial, links) : trial;
  });
  return trials.reduce((one, other) => (other.faults < one.faults ? other : one)).spots;
}

/**
 * The largest number of edges for which several orders are compared. Comparing all pairs of edges in a larger flow
 * would take seconds.
 */
const mostMeasured = 400;
const mostTurned = 60;
const mostTrials = 120;

type Trial = { readonly columns: Columns; readonly spots: ReadonlyMap<string, Spot>; readonly faults: number };

function trialOf(columns: Columns, links: readonly Line[], isMeasured = true): Trial {
  const spots = place(columns, links);
  if (!isMeasured) return { columns, spots, faults: 0 };
  const byId = new Map(columns.flat().map((node) => [node.id, node]));
  const boxes = new Map([...byId].map(([id, node]) => [id, boxOf(node, spots.get(id) ?? origin)]));
  return { columns, spots, faults: faultsOf(drawnOf(links, byId, spots), boxes) };
}

/** Swaps neighbouring cards while this improves the layout, in at most `mostTrials` attempts. */
function bettered(first: Trial, links: readonly Line[]): Trial {
  let best = first;
  let trials = 0;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const [rank, column] of best.columns.entries()) {
      for (let index = 1; index < column.length && trials < mostTrials; index++, trials++) {
        const turned = best.columns.map((one, at) => (at === rank ? swapped(one, index) : one));
        const trial = trialOf(turned, links);
        if (trial.faults >= best.faults) continue;
        best = trial;
        isBetter = true;
      }
    }
  }
  return best;
}

function swapped(column: readonly Node[], index: number): readonly Node[] {
  const made = [...column];
  made.splice(index - 1, 2, ...column.slice(index - 1, index + 1).reverse());
  return made;
}

/**
 * Positions all cards in this order, in several passes. Each pass draws the edges to the card positions of the previous
 * pass, and so knows more precisely which cards an edge crosses.
 */
function place(columns: Columns, links: readonly Line[]): ReadonlyMap<string, Spot> {
  const byId = new Map(columns.flat().map((node) => [node.id, node]));
  const rank = new Map(columns.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  const rankOf = (id: string): number => rank.get(id) ?? 0;
  const before = Map.groupBy(
    links.filter(({ from, to }) => rankOf(from) < rankOf(to)),
    ({ to }) => to,
  );
  const passing = columns.map((_, index) => links.filter(({ from, to }) => rankOf(from) < index && index < rankOf(to)));
  const lefts = leftsOf(columns);
  let spots: ReadonlyMap<string, Spot> = new Map();
  for (let pass = 0; pass < placings; pass++) {
    const made = new Map<string, Spot>();
    const spotOf = (id: string): Spot =>
      made.get(id) ?? { x: lefts[rankOf(id)] ?? 0, y: spots.get(id)?.y ?? rowOf(before.get(id) ?? [], made) };
    for (const [index, column] of columns.entries()) {
      const lanes = drawnOf(passing[index] ?? [], byId, { get: spotOf });
      let bottom = Number.NEGATIVE_INFINITY;
      for (const node of column) {
        const wanted = rowOf(before.get(node.id) ?? [], made);
        const x = lefts[index] ?? 0;
        const y = clearOf(lanes, node, { x, y: snapped(Math.max(wanted, bottom + gaps.down + node.above)) });
        made.set(node.id, { x, y });
        bottom = y + node.below;
      }
    }
    spots = lowerBeginnings(columns, links, made);
  }
  return spots;
}

const placings = 3;
const origin: Spot = { x: 0, y: 0 };

function leftsOf(columns: Columns): readonly number[] {
  let x = 0;
  return columns.map((column, index) => {
    if (index > 0) x += Math.max(...column.map(({ left }) => left));
    const own = snapped(x);
    x = own + Math.max(...column.map(({ right }) => right)) + gaps.across;
    return own;
  });
}

/**
 * Returns the y position of the uppermost card that leads to this card from the left, or of the first row if there is
 * none.
 */
function rowOf(links: readonly Line[], spots: ReadonlyMap<string, Spot>): number {
  const rows = links.flatMap(({ from }) => spots.get(from)?.y ?? []);
  return rows.length === 0 ? 0 : Math.min(...rows);
}

function drawnOf(
  links: readonly Line[],
  byId: ReadonlyMap<string, Node>,
  spots: { get(id: string): Spot | undefined },
): readonly Drawn[] {
  return links.flatMap((line) => {
    if (line.isUnseen) return [];
    const [from, to] = [byId.get(line.from), byId.get(line.to)];
    const [begins, ends] = [spots.get(line.from), spots.get(line.to)];
    return from && to && begins && ends ? [draw(line, [from, to], [begins, ends])] : [];
  });
}

/** The least distance between cards and edges. Edges steeper than `steep` may cross cards. */
const lane = { clear: 20, steep: 320 } as const;

/** Returns the y position, at or below the wanted position, at which only steep edges may pass over the card. */
function clearOf(lanes: readonly Drawn[], { left, right, above, below }: Node, { x, y: wanted }: Spot): number {
  const spans = lanes.flatMap((drawn) => {
    const span = spanWithin(drawn, x - left - lane.clear, x + right + lane.clear);
    return span && span[1] - span[0] <= lane.steep ? [span] : [];
  });
  let y = wanted;
  for (const [top, bottom] of spans.sort(([one], [other]) => one - other))
    if (top - lane.clear < y + below && bottom + lane.clear > y - above) y = snapped(bottom + lane.clear + above);
  return y;
}

/**
 * Lowers the cards that no edge reaches from the left. Each card is moved to the row of its target, as far as there is
 * room below the card.
 */
function lowerBeginnings(
  columns: Columns,
  links: readonly Line[],
  spots: Map<string, Spot>,
): ReadonlyMap<string, Spot> {
  const next = Map.groupBy(links, ({ from }) => from);
  const led = new Set(
    links.flatMap(({ from, to }) => ((spots.get(from)?.x ?? 0) < (spots.get(to)?.x ?? 0) ? [to] : [])),
  );
  for (const column of columns) {
    let room = Number.POSITIVE_INFINITY;
    for (const node of [...column].reverse()) {
      const spot = spots.get(node.id) ?? origin;
      const rows = (next.get(node.id) ?? []).flatMap(({ to }) => {
        const target = spots.get(to);
        return target && target.x > spot.x ? [target.y] : [];
      });
      const wanted = led.has(node.id) || rows.length === 0 ? spot.y : Math.min(...rows);
      const y = Math.max(spot.y, Math.min(wanted, snappedDown(room - node.below)));
      spots.set(node.id, { ...spot, y });
      room = y - node.above - gaps.down;
    }
  }
  return spots;
}
