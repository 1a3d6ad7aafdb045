import { safeLink } from "../../../conversation/links.ts";
import { timeText, useWords } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";
import type { Utterances } from "./service.ts";

type Utterance = Utterances["transcript"][number];

/** The conversation, as bubbles. */
export function Transcript({ said }: { readonly said: Utterances }) {
  const words = useWords(resultWords);
  const { transcript, isComplete } = said;
  return (
    <>
      {!isComplete && <p class="results-hint">{words.incomplete}</p>}
      {transcript.length === 0 && <p class="results-hint">{words.nothingSaid}</p>}
      <ol class="results-transcript">
        {transcript.map((utterance, index) => (
          <li key={index} class={`is-${utterance.role}`} title={timeText(utterance.createdAt)}>
            <span class="visually-hidden">{utterance.role === "bot" ? words.bot : words.visitor}: </span>
            <Said utterance={utterance} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** A stranger's words are shown as text; media of theirs or of the author are shown where the address is safe. */
function Said({ utterance: { text, image, video, audio } }: { utterance: Utterance }) {
  const address = safeLink(image ?? video ?? audio);
  if (text !== undefined) return <span dir="auto">{text}</span>;
  if (address === undefined) return <span dir="auto">{image ?? video ?? audio}</span>;
  if (image !== undefined && address.startsWith("https:")) return <img src={address} alt="" loading="lazy" />;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  );
}
