import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Recalled } from "../../../../conversation/preview-protocol.ts";
import { saveFile } from "../../../page-parts/save-and-copy.ts";
import { frameAttributes, useFramePort } from "../../../preview/frame-port.ts";
import { useChatAddress } from "../../../session/service-pages.ts";
import { Button, Skeleton } from "../../../ui/index.ts";
import resultWords from "../../../words/en/result.json";
import { timeText, useWords, type WordsOf } from "../../../words/index.ts";
import { openFile, type WholeResult } from "../service.ts";
import { notesOf } from "./notes.ts";
import "./as-seen.css";

type Props = {
  readonly botId: string;
  readonly whole: WholeResult;
  /** Shown above the frame, next to the download button. */
  readonly chooser: ComponentChildren;
};

/**
 * Shows the chats of a result as the visitor saw them. The chat page itself renders them in a frame of another origin.
 */
export function AsSeen({ botId, whole, chooser }: Props) {
  const words = useWords(resultWords);
  const chatAddress = useChatAddress();
  const [recalled, setRecalled] = useState<Recalled>();
  useEffect(() => {
    let isLeft = false;
    void recall(botId, whole, words).then((value) => isLeft || setRecalled(value));
    return () => {
      isLeft = true;
    };
  }, [whole, words]);
  if (chatAddress === undefined || recalled === undefined) {
    return (
      <>
        <div class="results-seen-bar">{chooser}</div>
        <Skeleton rows={6} />
      </>
    );
  }
  if (recalled.chats.length === 0) {
    return (
      <>
        <div class="results-seen-bar">{chooser}</div>
        <p class="results-hint">{words.nothingSaid}</p>
      </>
    );
  }
  return <SeenFrame {...{ chatAddress, recalled, chooser }} name={fileName(whole)} />;
}

type FrameProps = Pick<Props, "chooser"> & {
  readonly chatAddress: string;
  readonly recalled: Recalled;
  readonly name: string;
};

function SeenFrame({ chatAddress, recalled, name, chooser }: FrameProps) {
  const { seen } = useWords(resultWords);
  const element = useRef<HTMLIFrameElement>(null);
  const [isShown, setShown] = useState(false);
  const now = useMemo(() => ({ kind: "recall", ...recalled }) as const, [recalled]);
  const tell = useFramePort(element, {
    address: `${chatAddress}/assets/preview`,
    number: 0,
    onOpen: (speak) => speak(now),
    hear: async (told) => {
      if (told.kind === "shown") setShown(true);
      if (told.kind === "document") saveFile(new Blob([told.html], { type: "text/html" }), name);
      return undefined;
    },
  });
  useEffect(() => tell.current?.(now), [now]);
  return (
    <>
      <div class="results-seen-bar">
        {chooser}
        <Button
          label={seen.save}
          icon="download"
          isDisabled={!isShown}
          onPress={() => tell.current?.({ kind: "save" })}
        />
      </div>
      <div class="results-seen-place">
        <iframe
          ref={element}
          class="results-seen"
          title={seen.frame}
          aria-busy={!isShown}
          {...frameAttributes}
          allow="clipboard-write *"
        />
        {!isShown && (
          <div class="results-seen-waiting">
            <Skeleton rows={6} />
          </div>
        )}
      </div>
    </>
  );
}

function fileName({ result }: WholeResult): string {
  return `chat-${String(result.createdAt).slice(0, 10)}-${result.id.slice(-6)}.html`;
}

/**
 * Returns the data for the frame, including the contents of private pictures and sounds, which are loaded with the
 * page's sign-in.
 */
async function recall(
  botId: string,
  { result, said, files }: WholeResult,
  words: WordsOf<"result">,
): Promise<Recalled> {
  const { chats = [] } = said;
  const urls = new Set(
    chats
      .flatMap(({ steps, answers }) => [...steps, ...answers].flatMap(({ files = [] }) => files))
      .map(({ url }) => url),
  );
  let bytes = 0;
  const contents: [string, string][] = [];
  for (const url of [...urls].filter(isPrivateMedia)) {
    const known = files.find((file) => lastPart(file.url) === lastPart(url));
    // Skips a file that is too large, so that smaller files after it still fit.
    if (known === undefined || bytes + known.bytes > mostBytes) continue;
    bytes += known.bytes;
    const content = await openFile(botId, result.id, url).then(dataAddress, () => undefined);
    if (content !== undefined) contents.push([url, content]);
  }
  return {
    chats: chats.map((chat) => {
      const began = chat.steps[0]?.createdAt ?? chat.answers[0]?.createdAt ?? result.createdAt;
      const { incomplete, seen } = words;
      const when = seen.began({ when: timeText(began) });
      const missing = chat.steps.length > 0 ? seen.truncated : incomplete;
      return {
        chat,
        title: chat.isComplete ? when : `${when}. ${missing}`,
        notes: notesOf(chat, seen),
      };
    }),
    files: Object.fromEntries(contents),
    removedLabel: words.seen.removed,
  };
}

/**
 * Whether the file is a private picture or sound, which the frame cannot load without a token. Other private files are
 * on the files tab.
 */
function isPrivateMedia(url: string): boolean {
  return /\/results\/[^/]+\/files\/[^/]+\.(png|jpe?g|gif|webp|avif|mp3|m4a|ogg|oga|webm|wav|weba)$/i.test(url);
}

const mostBytes = 40_000_000;

function lastPart(url: string): string | undefined {
  return url.split("/").at(-1);
}

function dataAddress(content: Blob): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : undefined);
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(content);
  });
}
