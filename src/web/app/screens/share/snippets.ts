export const embedKinds = ["page", "bubble", "popup", "frame"] as const;
export type EmbedKind = (typeof embedKinds)[number];

type Embedding = {
  /** Where chats are served. */
  readonly chatAddress: string;
  readonly publicId: string;
  /** What a button that opens the popup says, and what readers call a frame. */
  readonly opener: string;
  readonly frameName: string;
};

/** What a page of somebody's takes to show the bot. */
export function snippetFor(kind: EmbedKind, { chatAddress, publicId, opener, frameName }: Embedding): string {
  const script = `<script src="${escaped(chatAddress)}/embed.js" defer></script>`;
  const bot = `bot="${escaped(publicId)}"`;
  switch (kind) {
    case "page":
      return `${script}\n<parley-chat ${bot} style="display: block; height: 640px"></parley-chat>`;
    case "bubble":
      return `${script}\n<parley-bubble ${bot}></parley-bubble>`;
    case "popup":
      return `${script}\n<parley-popup ${bot}></parley-popup>\n<button onclick="Parley.open()">${escaped(opener)}</button>`;
    case "frame":
      return `<iframe src="${escaped(`${chatAddress}/${publicId}`)}" title="${escaped(frameName)}" loading="lazy"\n  allow="microphone; camera; clipboard-write" style="width: 100%; height: 640px; border: 0"></iframe>`;
    default:
      return kind satisfies never;
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
