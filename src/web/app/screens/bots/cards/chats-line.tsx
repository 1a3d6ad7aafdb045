const width = 96;
const height = 26;
const rim = 2;

/** Chats a day as a line. Its words have the numbers. */
export function ChatsLine({ days, label }: { readonly days: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...days);
  const step = (width - 2 * rim) / Math.max(1, days.length - 1);
  const points = days.map((chats, index) => {
    const y = height - rim - (chats / most) * (height - 2 * rim);
    return `${(rim + index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const last = points.at(-1)?.split(",") ?? [];
  return (
    <svg
      class="chats-line"
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <polygon class="chats-line-area" points={`${rim},${height} ${points.join(" ")} ${width - rim},${height}`} />
      <polyline class="chats-line-line" points={points.join(" ")} />
      <circle class="chats-line-today" cx={last[0]} cy={last[1]} r="2.5" />
    </svg>
  );
}
