/** @jsxImportSource preact */
import "../conversation/rare-words.ts";

type Props = { readonly percent: number; readonly label: string; readonly isBanner: boolean };

/** The progress of the chat. On the chat's own page, it is the header of the page if there is no other header. */
export function ProgressBar({ percent, label, isBanner }: Props) {
  const value = Math.round(Math.min(100, Math.max(0, percent)));
  const Box = isBanner ? "header" : "div";
  return (
    <Box class="typebot-progress-bar-container">
      <progress class="typebot-progress-bar" max={100} value={value} aria-label={label}>
        {`${value} %`}
      </progress>
    </Box>
  );
}
