import { useEffect, useRef, useState } from "preact/hooks";
import { safeLink } from "../../../conversation/links.ts";
import { Icon } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { sizeText, useWords } from "../../words/index.ts";
import type { AnswerFile } from "./answer-parts.ts";
import { downloadFile, openFile, type WholeResult } from "./service.ts";

type Place = { readonly botId: string; readonly resultId: string };
type FilesProps = Place & {
  readonly files: readonly AnswerFile[];
  /** The known properties of files that are stored in this service. */
  readonly known?: WholeResult["files"];
};

/**
 * Lists the files of an answer by name. A press downloads a file that is stored in this service; other files are
 * external links.
 */
export function AnswerFiles({ files, known = [], ...place }: FilesProps) {
  return (
    <ul class="results-answer-files">
      {files.map((file) => (
        <li key={file.url}>
          <OneFile file={file} known={known.find(({ url }) => isSameFile(url, file.url))} {...place} />
        </li>
      ))}
    </ul>
  );
}

type OneFileProps = Place & { readonly file: AnswerFile; readonly known: WholeResult["files"][number] | undefined };

function OneFile({ file: { url, isStored, name }, known, botId, resultId }: OneFileProps) {
  const words = useWords(resultWords);
  const address = safeLink(url);
  const extension = name.split(".").at(-1) ?? "";
  if (isStored) {
    const shown = known?.name ?? words.fileOf({ extension, kind: extension.toUpperCase() });
    return (
      <button
        type="button"
        class="results-file"
        onClick={() => void downloadFile(botId, resultId, { url, name: known?.name ?? name })}
      >
        {isPicture(known?.name ?? name) ? (
          <Thumbnail {...{ url, botId, resultId }} />
        ) : (
          <Icon name="download" size={14} label={words.storedHere} />
        )}
        <span dir="auto">{shown}</span>
        {known && <span class="results-muted">{sizeText(known.bytes)}</span>}
      </button>
    );
  }
  return (
    <span class="results-file" title={url}>
      <Icon name="external-link" size={14} />
      {address === undefined ? (
        <span dir="auto">{name}</span>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer" dir="auto">
          {name}
        </a>
      )}
      <span class="results-muted">{words.storedElsewhere}</span>
    </span>
  );
}

/**
 * Shows a picture that is stored in this service. The picture is loaded with the page's sign-in when it becomes
 * visible. Hidden from screen readers, because its name is next to it.
 */
function Thumbnail({ url, botId, resultId }: Place & { readonly url: string }) {
  const [source, setSource] = useState<string>();
  const [isInSight, setInSight] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInSight(true);
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isInSight) return undefined;
    let made: string | undefined;
    let isLeft = false;
    openFile(botId, resultId, url).then(
      (content) => {
        if (isLeft) return;
        made = URL.createObjectURL(content);
        setSource(made);
      },
      // If the thumbnail cannot be loaded, the name still links to the file.
      () => {},
    );
    return () => {
      isLeft = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url, isInSight]);
  return source === undefined ? (
    <span ref={place}>
      <Icon name="download" size={14} />
    </span>
  ) : (
    <img class="results-thumbnail" src={source} alt="" />
  );
}

function isPicture(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name);
}

/**
 * Whether two URLs refer to the same file. Only their ends are compared, because they may contain different origins of
 * this service.
 */
function isSameFile(one: string, other: string): boolean {
  const last = (url: string): string | undefined => url.split("/").at(-1);
  return last(one) === last(other);
}
