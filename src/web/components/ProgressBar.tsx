/** @jsxImportSource preact */
type Props = { readonly percent: number; readonly label: string; readonly isEmbedded: boolean | undefined };

/** The chat's progress: the header of its own page, a plain element in another site's. */
export function ProgressBar({ percent, label, isEmbedded }: Props) {
  const value = Math.round(Math.min(100, Math.max(0, percent)));
  const Box = isEmbedded ? "div" : "header";
  return (
    <Box class="typebot-progress-bar-container">
      <progress class="typebot-progress-bar" max={100} value={value} aria-label={label}>
        {`${value} %`}
      </progress>
    </Box>
  );
}
