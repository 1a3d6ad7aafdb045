/** @jsxImportSource preact */
/** The background of a bot's message: colour, border and corners. Authors' style sheets refer to it. */
export function BubbleGround() {
  return <div class="bubble-typing" />;
}
