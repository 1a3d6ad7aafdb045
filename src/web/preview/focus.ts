/**
 * A chat that goes on by itself, or by a button beside it, leaves the focus in the page around, whose author may be
 * writing: a frame could take it. Whatever of the chat page moves the focus does so only where the focus is in this
 * frame already, as after a press on it.
 */
export function leaveFocusAround(): void {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) {
    if (document.hasFocus()) focus.call(this, options);
  };
}
