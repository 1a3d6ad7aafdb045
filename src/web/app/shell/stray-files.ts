/**
 * Lets nobody lose the page by a file that is dropped beside its place: the browser would open it in place of the page.
 * Called once.
 */
export function ignoreStrayFiles(): void {
  const onDrag = (event: DragEvent): void => {
    const { target, dataTransfer } = event;
    // A field of files takes them by itself.
    const isTaken = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === "file");
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrag);
}
