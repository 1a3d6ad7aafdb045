import { familyOfLetter } from "../../../../../core/interpreter/schemas/editor-families.ts";
import { familyClass } from "../../../ui/index.ts";
import type { BotSummary } from "../bots.ts";

export type Picture = NonNullable<BotSummary["picture"]>;

const width = 120;
const rowHeight = 14;
const headHeight = 16;
const margin = 20;
/**
 * The limits of the drawn width. A flow of one group is not enlarged beyond the lower limit, and a long flow is cut off
 * at the upper limit.
 */
const least = 420;
const most = 1_000;
/** The ratio of height to width. */
const ratio = 9 / 16;

/**
 * A small picture of a flow: its groups at their positions and in their sizes, the blocks in the colours of their
 * families, and the edges. Hidden from screen readers.
 */
export function FlowPicture({ picture }: { readonly picture: Picture | null | undefined }) {
  // An older node sends no picture.
  if (!picture) return null;
  if (picture.groups.length === 0) return <NoPicture />;
  const boxes = picture.groups.map(({ x, y, blocks }) => ({
    ...{ x, y, blocks: [...blocks] },
    height: headHeight + Math.max(1, blocks.length) * rowHeight + 6,
  }));
  const right = Math.max(...boxes.map(({ x }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const wanted = Math.max(right + 2 * margin, (bottom + 2 * margin) / ratio, least);
  const shown = Math.min(wanted, most);
  const left = Math.max(0, shown - right) / 2;
  const top = Math.max(0, shown * ratio - bottom) / 2;
  const [isWide, isHigh] = [right + margin > shown, bottom + margin > shown * ratio];
  return (
    <svg
      class={`flow-picture ${isWide ? "is-wide" : ""} ${isHigh ? "is-high" : ""}`}
      viewBox={`${isWide ? -margin : -left} ${isHigh ? -margin : -top} ${shown} ${shown * ratio}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {picture.edges.map(([from = -1, to = -1], index) => {
        const [start, end] = [boxes[from], boxes[to]];
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
      {boxes.map(({ x, y, height, blocks }, at) => (
        <g key={at}>
          <rect class="flow-picture-group" x={x} y={y} width={width} height={height} rx="6" />
          <rect class="flow-picture-title" x={x + 8} y={y + 7} width={52} height="4" rx="2" />
          {blocks.map((letter, index) => (
            <rect
              key={index}
              class={`flow-picture-block ${familyClass(familyOfLetter(letter))}`}
              x={x + 8}
              y={y + headHeight + index * rowHeight + 2}
              width={width - 16 - ((index * 23 + at * 11) % 34)}
              height="9"
              rx="3"
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

/** The picture of an empty flow. */
function NoPicture() {
  return (
    <svg class="flow-picture is-empty" viewBox="0 0 420 236" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect class="flow-picture-ghost" x="150" y="83" width="120" height="70" rx="8" />
      <path class="flow-picture-plus" d="M210 106v24M198 118h24" />
    </svg>
  );
}
