import { familyClass } from "../../ui/index.ts";
import "./empty-drawing.css";

const families = ["says", "asks", "decides", "connects", "thinks"] as const;

type Card = { readonly x: number; readonly y: number; readonly rows: readonly number[]; readonly isFaint?: boolean };
/** A chat bubble or a chart bar: its position, size, corner radius and family. */
type Piece = readonly [x: number, y: number, width: number, height: number, round: number, family: number];

type Scene = {
  readonly cards?: readonly Card[];
  readonly lines?: readonly string[];
  readonly pieces?: readonly Piece[];
  /** A magnifying glass or a tick, in the accent colour. */
  readonly sign?: readonly string[];
};

const glass = ["M127 58a19 19 0 1 1-38 0a19 19 0 1 1 38 0", "m122 72 15 15"];

/** The drawings, which consist of flow cards, bubbles and bars. The rows of cards are indexes of block families. */
const scenes = {
  first: {
    cards: [
      { x: 16, y: 24, rows: [0, 1] },
      { x: 96, y: 8, rows: [2, 3] },
      { x: 96, y: 60, rows: [4], isFaint: true },
    ],
    lines: ["M76 44C88 44 84 26 96 26", "M76 44C88 44 84 74 96 74"],
  },
  folder: { cards: [{ x: 56, y: 20, rows: [0, 1], isFaint: true }], lines: ["M36 74h104"] },
  archive: {
    cards: [
      { x: 40, y: 14, rows: [0], isFaint: true },
      { x: 72, y: 30, rows: [1, 3], isFaint: true },
    ],
    lines: ["M40 88h96"],
  },
  search: { cards: [{ x: 44, y: 14, rows: [0, 2, 1], isFaint: true }], sign: glass },
  chats: {
    pieces: [
      [30, 12, 74, 20, 9, 0],
      [88, 40, 58, 20, 9, 1],
      [30, 68, 50, 20, 9, 0],
    ],
  },
  figures: {
    pieces: [
      [42, 54, 16, 32, 4, 0],
      [68, 36, 16, 50, 4, 1],
      [94, 18, 16, 68, 4, 3],
      [120, 44, 16, 42, 4, 4],
    ],
    lines: ["M30 88h116"],
  },
  versions: {
    cards: [
      { x: 34, y: 12, rows: [0], isFaint: true },
      { x: 56, y: 28, rows: [0, 1], isFaint: true },
      { x: 78, y: 44, rows: [0, 1] },
    ],
  },
  tests: { cards: [{ x: 44, y: 14, rows: [0, 1, 3] }], sign: ["m98 66 12 12 24-28"] },
  live: {
    cards: [{ x: 58, y: 22, rows: [0, 1, 4] }],
    lines: ["M44 28c-10 14-10 34 0 48M30 18c-16 20-16 48 0 68M132 28c10 14 10 34 0 48M146 18c16 20 16 48 0 68"],
  },
} as const satisfies Record<string, Scene>;

/** A decorative drawing for an empty list, in the colours of the block families. */
export function EmptyDrawing({ of }: { readonly of: keyof typeof scenes }) {
  const { cards = [], lines = [], pieces = [], sign = [] }: Scene = scenes[of];
  return (
    <svg class="empty-drawing" width="176" height="100" viewBox="0 0 176 100" aria-hidden="true">
      {lines.map((line) => (
        <path key={line} class="empty-drawing-line" d={line} />
      ))}
      {pieces.map(([x, y, width, height, rx, family]) => (
        <rect
          key={`${x} ${y}`}
          class={`empty-drawing-row ${familyClass(families[family])}`}
          {...{ x, y, width, height, rx }}
        />
      ))}
      {cards.map(({ x, y, rows, isFaint = false }) => (
        <g key={`${x} ${y}`} class={isFaint ? "is-faint" : ""}>
          <rect class="empty-drawing-card" x={x} y={y} width="60" height={16 + rows.length * 14} rx="7" />
          {rows.map((row, index) => (
            <rect
              key={row}
              class={`empty-drawing-row ${familyClass(families[row])}`}
              x={x + 8}
              y={y + 9 + index * 14}
              width={44 - index * 10}
              height="8"
              rx="4"
            />
          ))}
        </g>
      ))}
      {sign.length > 0 && (
        <g class={`empty-drawing-sign ${of === "search" ? "is-glass" : ""}`}>
          {sign.map((line) => (
            <path key={line} d={line} />
          ))}
        </g>
      )}
    </svg>
  );
}
