/** @jsxImportSource preact */

import { accentOf } from "../../../core/theme/accent.ts";
import type { Bot } from "../../conversation/bot.ts";
import { iconAddress } from "./icon.ts";

/** The description of a page for search engines, link previews and home screens. */
export type PageCard = {
  readonly title: string;
  readonly description?: string | undefined;
  /** The page's canonical URL, regardless of the requested URL. Absent for a page without a chat, or with a session. */
  readonly address?: string | undefined;
  readonly picture?: { readonly address: string; readonly isLarge: boolean } | undefined;
  readonly icon: string;
  /** The path below which a bot has the files that home screens need. */
  readonly homeScreen?: string;
  readonly isIndexed: boolean;
};

/** Returns the card of a page without a chat. Search engines must not index the page. */
export function errorCard(title: string): PageCard {
  return { title, icon: iconAddress(accentOf({}, "6.1")), isIndexed: false };
}

/**
 * Returns the card of a bot's page, with the author's description, or the bot's name and its first message. A page that
 * contains a session must not be indexed by search engines.
 */
export function chatCard(
  { theme, settings, version }: Bot,
  known: {
    readonly publicId: string;
    readonly name: string;
    readonly firstText: string;
    readonly origin: string;
    readonly address: string;
    readonly hasSession: boolean;
  },
): PageCard {
  return {
    title: settings.title ?? known.name,
    description: settings.description ?? (excerpt(known.firstText) || undefined),
    address: known.hasSession ? undefined : known.address,
    picture: settings.imageUrl
      ? { address: settings.imageUrl, isLarge: true }
      : { address: `${known.origin}/${known.publicId}/icon-512.png`, isLarge: false },
    icon: settings.iconUrl ?? iconAddress(accentOf(theme, version)),
    homeScreen: `/${known.publicId}`,
    isIndexed: settings.isIndexed && !known.hasSession,
  };
}

/** Returns the start of a text in a length that fits link previews, cut between two words. */
function excerpt(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  if (words.length <= excerptCharacters) return words;
  const cut = words.slice(0, excerptCharacters).toWellFormed();
  return `${cut.replace(/\s+\S*$/, "")}…`;
}

const excerptCharacters = 200;

/** Renders the tags of a card. Services that have their own tags also read the Open Graph tags. */
export function CardTags({ title, description, address, picture, icon, homeScreen, isIndexed }: PageCard) {
  return (
    <>
      <title>{title}</title>
      {description !== undefined && <meta name="description" content={description} />}
      {!isIndexed && <meta name="robots" content="noindex" />}
      {address !== undefined && <link rel="canonical" href={address} />}
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      {description !== undefined && <meta property="og:description" content={description} />}
      {address !== undefined && <meta property="og:url" content={address} />}
      {picture !== undefined && <meta property="og:image" content={picture.address} />}
      <meta name="twitter:card" content={picture?.isLarge ? "summary_large_image" : "summary"} />
      <link rel="icon" href={icon} />
      {homeScreen !== undefined && <link rel="apple-touch-icon" href={`${homeScreen}/icon-180.png`} />}
      {homeScreen !== undefined && <link rel="manifest" href={`${homeScreen}/manifest.webmanifest`} />}
    </>
  );
}
