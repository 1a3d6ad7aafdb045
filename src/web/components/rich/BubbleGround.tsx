/** @jsxImportSource preact */
/**
 * The background of a bot's message, with its color, border and corners. Authors' style sheets refer to this element.
 */
export function BubbleGround() {
  return <div class="bubble-typing" />;
}
