/** @jsxImportSource preact */
/** A sentence about the chat itself: the connection, an error, its end. */
export type Notification = {
  readonly text: string;
  readonly isError?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

/** Always rendered: screen readers announce what is later put into it. */
export function Notice({ notice }: { readonly notice: Notification | undefined }) {
  return (
    <div class="chat-notice-place" role="status">
      {notice && (
        <div class={`chat-notice ${notice.isError ? "is-error" : ""}`}>
          <p dir="auto">{notice.text}</p>
          {notice.action && (
            <button type="button" class="typebot-button secondary-button" onClick={notice.action.run}>
              {notice.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
