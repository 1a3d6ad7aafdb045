/** The part of a flow that a small picture shows. */
export type PicturedFlow = {
  readonly groups: readonly {
    readonly id: string;
    readonly graphCoordinates: { readonly x: number; readonly y: number };
    readonly blocks: readonly { readonly type: string }[];
  }[];
  readonly edges: readonly { readonly from: object; readonly to: { readonly groupId: string } }[];
};

const width = 120;
const rowHeight = 14;
const headHeight = 16;
/** Only the beginning of a longer flow is drawn: the whole would be too small to see. */
const mostWidth = 1_000;

/**
 * A small drawing of a flow: its groups where they lie, as high as they are long, and what leads from one to the next.
 * An ornament.
 */
export function FlowPicture({ flow }: { readonly flow: PicturedFlow }) {
  const boxes = flow.groups.map(({ id, graphCoordinates: { x, y }, blocks }) => ({
    id,
    x: x / 2,
    y: y / 2,
    height: headHeight + blocks.length * rowHeight + 6,
    blocks,
  }));
  const groupOfBlock = new Map(
    flow.groups.flatMap(({ id, blocks }) =>
      blocks.flatMap((block) => ("id" in block ? [[block.id, id] as const] : [])),
    ),
  );
  const right = Math.max(...boxes.map(({ x }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const isCut = right - left + 48 > mostWidth;
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return (
    <svg
      class={`flow-picture ${isCut ? "is-cut" : ""}`}
      viewBox={`${left - 24} ${top - 12} ${isCut ? mostWidth : right - left + 48} ${bottom - top + 24}`}
      aria-hidden="true"
    >
      {flow.edges.map(({ from, to }, index) => {
        const start = "blockId" in from ? byId.get(groupOfBlock.get(from.blockId) ?? "") : undefined;
        const end = byId.get(to.groupId);
        if (!start || !end) return null;
        const [x1, y1, x2, y2] = [start.x + width, start.y + start.height - 12, end.x, end.y + 10];
        const bend = Math.max(24, Math.abs(x2 - x1) / 2);
        return (
          <path
            key={index}
            class="flow-picture-edge"
            d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
          />
        );
      })}
      {boxes.map(({ id, x, y, height, blocks }) => (
        <g key={id}>
          <rect class="flow-picture-group" x={x} y={y} width={width} height={height} rx="6" />
          <rect class="flow-picture-title" x={x + 8} y={y + 7} width={52} height="4" rx="2" />
          {blocks.map(({ type }, index) => (
            <rect
              key={index}
              class={type.endsWith("input") ? "flow-picture-input" : "flow-picture-block"}
              x={x + 8}
              y={y + headHeight + index * rowHeight + 2}
              width={width - 16 - ((index * 23) % 34)}
              height="9"
              rx="3"
            />
          ))}
        </g>
      ))}
    </svg>
  );
}
