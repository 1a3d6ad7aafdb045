import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { connected, linksOf } from "../../../../core/editing/references/reach.ts";
import { walkOf } from "../../../../core/editing/references/walk.ts";
import type { View } from "../../canvas/contract.ts";
import type { Box } from "../../editor/commands/arrange.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import { type Placed, tidy } from "../../editor/commands/places.ts";
import { startWorker } from "../../workers/start-worker.ts";
import type { ActContext } from "../act-context.ts";
import type { Chosen } from "../chosen.ts";
import type { Runner } from "../runner.ts";
import type { Arrangement } from "./layout.ts";
import type { Line } from "./node.ts";

export type TidyWhat = "all" | "part" | "chosen";

/**
 * Lays out the whole flow, the part that is connected with the selection, or only the selection. Locked groups do not
 * move. The layout is one undo step.
 */
export async function tidyUp(
  { bot: { editor }, view }: ActContext,
  { chosen, runner: { run, nothing }, which }: Tidying,
): Promise<void> {
  const draft = editor.copy.view();
  const ids = chosen.cardIds();
  const wanted = which === "all" ? undefined : which === "part" ? connected(draft, ids) : new Set(ids);
  const beside = new Set(editor.selection.beside.value.map(({ id }) => id));
  const isWanted = ({ kind, id }: Box) =>
    !(kind === "group" && isGroupLocked(draft, id)) &&
    (wanted === undefined || wanted.has(id) || (which === "chosen" && beside.has(id)));
  const order = orderOf(draft);
  const all = [...chosen.allBoxes()].sort((one, other) => (order.get(one.id) ?? 1e9) - (order.get(other.id) ?? 1e9));
  const boxes = all.filter(isWanted);
  if (boxes.length === 0) return void nothing();
  // Frames and notes that are not laid out do not count as obstacles, because cards may be above them.
  const fixed = all.filter((box) => !isWanted(box) && (box.kind === "group" || box.kind === "event"));
  const places = await layOutAside({ boxes, links: linesOf(view, draft), fixed });
  run(tidy, { places });
  view.camera.fit(which === "all" ? undefined : boxes.flatMap(({ kind, id }) => (kind === "group" ? [id] : [])));
}

type Tidying = { readonly chosen: Chosen; readonly runner: Runner; readonly which: TidyWhat };

function orderOf(draft: DraftDocument): ReadonlyMap<string, number> {
  const { beginnings, unreachable } = walkOf(draft);
  const ids = [...beginnings.flatMap(({ eventId, groupIds }) => [eventId, ...groupIds]), ...unreachable];
  return new Map(ids.map((id, index) => [id, index]));
}

/**
 * Returns the drawn edges and the jumps, which are not drawn. A jump between two cards that an edge already connects is
 * omitted. The other jumps come after all edges of their card.
 */
function linesOf(view: View, draft: DraftDocument): readonly Line[] {
  const { cards, edges } = view.scene.value;
  const lines = edges.flatMap(({ port, to, toCardId }) => {
    const card = cards.get(toCardId ?? "");
    return card ? [{ from: port.cardId, to: card.id, y: port.y, into: to.y - card.box.y }] : [];
  });
  const drawn = new Set(lines.map(({ from, to }) => `${from} ${to}`));
  const jumps = linksOf(draft).filter(({ from, to }) => !drawn.has(`${from} ${to}`));
  return [...lines, ...jumps.map((link) => ({ ...link, y: belowAll, isUnseen: true }))];
}

/** A y coordinate below any row. */
const belowAll = 1e6;

/**
 * Computes a layout in a worker, because two thousand cards take seconds. Without worker support, the layout is
 * computed on the page.
 */
async function layOutAside(arrangement: Arrangement): Promise<readonly Placed[]> {
  const worker = startWorker("layout");
  if (!worker) return (await import("./layout.ts")).layOut(arrangement);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<readonly Placed[]>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(`The layout failed: ${message}`));
      worker.postMessage(arrangement);
    });
  } finally {
    worker.terminate();
  }
}
