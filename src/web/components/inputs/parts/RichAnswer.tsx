/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { safeLink, safeSource } from "../../../conversation/links.ts";
import type { Words } from "../../../conversation/words.ts";
import { adoptStyle } from "../../adopt-style.ts";
import { fileNameIn, uploadedFile } from "../../file-names.ts";
import answerCss from "../../media.css" with { type: "text" };
import { Picture } from "../../Picture.tsx";
import { Sound } from "../../Sound.tsx";
import type { AnswerProps } from "./input-kind.ts";
import { pictureSource } from "./picture-source.ts";

/** The bubble of answers with pictures, files or a recording, and its style sheet. */
export const richAnswer = { Answer: RichAnswer, answerCss };

/** An answer with pictures, which fill its bubble, or with files or a recording. The visitor's text is below them. */
function RichAnswer({ answer, words }: AnswerProps) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => adoptStyle(bubble.current, answerCss), []);
  const { text, files, pictures = [], audioUrl, isUnderWay, fileNames } = answer;
  const photos = files.filter(isPicture);
  const hasPictures = pictures.length + photos.length > 0;
  const others = files.filter((address) => !isPicture(address));
  const hasWords = text !== "" || others.length > 0 || audioUrl !== undefined;
  const state = `${hasPictures ? "has-pictures" : ""} ${isUnderWay ? "is-under-way" : ""}`;
  return (
    <div ref={bubble} class={`typebot-guest-bubble ${state}`} dir="auto">
      {hasPictures && (
        <div class="answer-pictures">
          {pictures.map((picture) => (
            <Picture
              key={picture}
              class="answer-picture"
              source={pictureSource(picture)}
              alt={text === "" ? undefined : ""}
              words={words}
            />
          ))}
          {photos.map((address) => (
            <Photo key={address} address={address} words={words} names={fileNames} />
          ))}
        </div>
      )}
      {hasWords && (
        <div class="answer-words">
          {others.map((address) => (
            <File key={address} address={address} words={words} names={fileNames} />
          ))}
          {audioUrl !== undefined && <Sound source={safeSource(audioUrl)} words={words} />}
          {text !== "" && <span class="answer-text">{text}</span>}
        </div>
      )}
      {isUnderWay && <span class="visually-hidden">{words.sending}</span>}
    </div>
  );
}

type FileProps = {
  readonly address: string;
  readonly words: Words;
  readonly names: Readonly<Record<string, string>> | undefined;
};

/** A picture that the visitor uploaded. Only the page that uploaded a private picture can show it. */
function Photo({ address, words, names }: FileProps) {
  const [own] = useState(() => {
    const file = isPrivate(address) ? uploadedFile(address) : undefined;
    return file && URL.createObjectURL(file);
  });
  useEffect(() => () => URL.revokeObjectURL(own ?? ""), [own]);
  return (
    <Picture
      class="answer-picture"
      source={own ?? safeSource(address)}
      alt={fileNameIn(address, words, names)}
      words={words}
    />
  );
}

/** Whether a file is private. Reading a private file requires a token, which visitors do not have. */
function isPrivate(address: string): boolean {
  return /\/results\/[^/]+\/files\//.test(address);
}

/** Whether a file can be shown as a picture. A visitor's SVG is served as a download and cannot be shown. */
function isPicture(address: string): boolean {
  const isShown = !isPrivate(address) || uploadedFile(address) !== undefined;
  return isShown && /\.(png|jpe?g|gif|webp|avif)(\?|$)/i.test(address);
}

function File({ address, words, names }: FileProps) {
  const name = fileNameIn(address, words, names);
  const href = isPrivate(address) ? undefined : safeLink(address);
  if (href === undefined) return <span class="answer-file">{name}</span>;
  return (
    <a class="answer-file" href={href} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}
