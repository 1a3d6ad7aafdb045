import type { Section } from "../../page-parts/sections.tsx";
import brandWords from "../../words/en/brand.json";
import channelWords from "../../words/en/channels.json";
import erasureWords from "../../words/en/erasures.json";
import { currentWords, type Words, type WordsOf } from "../../words/index.ts";

/**
 * Returns the sections of a workspace's settings, for the screen and the palette. The first section has the URL of the
 * settings itself.
 */
export function workspaceSections(words: Words, own: WordsOf<"workspace">): readonly Section[] {
  return [
    { id: "general", label: words.general },
    { id: "brand", label: currentWords(brandWords).title },
    { id: "members", label: words.members },
    { id: "guests", label: own.guests },
    { id: "tokens", label: words.tokens },
    { id: "events", label: words.events },
    { id: "credentials", label: words.credentials },
    { id: "channels", label: currentWords(channelWords).title },
    { id: "files", label: own.files },
    { id: "erasures", label: currentWords(erasureWords).title },
  ];
}
