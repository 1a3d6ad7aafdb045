/** @jsxImportSource preact */
/** The ground of a bot's message: colour, border and corners. Authors' style sheets name it. */
export function BubbleGround() {
  return <div class="bubble-typing" />;
}
