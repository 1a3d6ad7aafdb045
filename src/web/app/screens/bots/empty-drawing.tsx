import { familyClass } from "../../ui/index.ts";
import "./empty-drawing.css";

const families = ["says", "asks", "decides", "connects", "thinks"] as const;

type Card = { readonly x: number; readonly y: number; readonly rows: readonly number[]; readonly isFaint?: boolean };

/** Cards of a flow, which each drawing begins with; the rows name families. */
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
  search: { cards: [{ x: 44, y: 14, rows: [0, 2, 1], isFaint: true }], lines: [] },
} satisfies Record<string, { readonly cards: readonly Card[]; readonly lines: readonly string[] }>;

/** A small drawing of an empty place, in the colours of the families. An ornament. */
export function EmptyDrawing({ of }: { readonly of: keyof typeof scenes }) {
  const { cards, lines }: { readonly cards: readonly Card[]; readonly lines: readonly string[] } = scenes[of];
  return (
    <svg class="empty-drawing" width="176" height="100" viewBox="0 0 176 100" aria-hidden="true">
      {lines.map((line) => (
        <path key={line} class="empty-drawing-line" d={line} />
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
      {of === "search" && (
        <g class="empty-drawing-glass">
          <circle cx="108" cy="58" r="19" />
          <path d="m122 72 15 15" />
        </g>
      )}
    </svg>
  );
}
