import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { accentOf } from "../../core/theme/accent.ts";
import { type PublishedLook, publishedLook } from "../../management/bots/versions/published-look.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { type Bot, readBot } from "../conversation/bot.ts";
import { languageOf } from "../conversation/language.ts";
import { iconIco, iconPng } from "./document/icon.ts";
import { pageColor } from "./document/theme-color.tsx";

/** Files that browsers, home screens and crawlers request in addition to the pages of bots. */
export const outlookPages: readonly Page<ChatDependencies>[] = [
  {
    path: "/:publicId/manifest.webmanifest",
    host: "chat",
    async respond(deps, _request, place) {
      const { look, bot } = await lookAt(deps, place);
      return fileResponse(JSON.stringify(manifestOf(look, bot, place)), "application/manifest+json");
    },
  },
  ...[180, 192, 512].map(
    (size): Page<ChatDependencies> => ({
      path: `/:publicId/icon-${size}.png`,
      host: "chat",
      async respond(deps, _request, place) {
        const { bot } = await lookAt(deps, place);
        return fileResponse(iconPng(size, accentOf(bot.theme, bot.version)), "image/png");
      },
    }),
  ),
  {
    // The colours of a bubble's button, for pages of other sites.
    path: "/:publicId/launcher.js",
    host: "chat",
    isReadAnywhere: true,
    async respond(deps, _request, place) {
      const { bot } = await lookAt(deps, place);
      const response = fileResponse(
        `export default ${JSON.stringify(accentOf(bot.theme, bot.version))};`,
        "text/javascript; charset=utf-8",
      );
      response.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
      response.headers.set("Cache-Control", "public, max-age=300");
      return response;
    },
  },
  { path: "/favicon.ico", host: "both", respond: () => fileResponse(ourIcon(), "image/x-icon") },
  { path: "/robots.txt", host: "both", respond: () => fileResponse(robots, "text/plain; charset=utf-8") },
];

/** A crawler that follows the API's paths would start chats, and find only content that the pages already contain. */
const robots = `User-agent: *
Disallow: /api/
Allow: /api/files/
Disallow: /admin/
Disallow: /docs
`;

let icon: Uint8Array<ArrayBuffer> | undefined;

function ourIcon(): Uint8Array<ArrayBuffer> {
  icon ??= iconIco(accentOf({}, "6.1"));
  return icon;
}

async function lookAt(deps: ChatDependencies, { params }: Place): Promise<{ look: PublishedLook; bot: Bot }> {
  const look = await publishedLook(deps, String(params["publicId"]));
  return { look, bot: readBot(look) };
}

/** Returns the web app manifest of a bot, with which a system lists the chat as an app. */
function manifestOf({ publicId, name, customDomain }: PublishedLook, { theme, settings, version }: Bot, place: Place) {
  const [domain = "", path] = customDomain?.toLowerCase().split(/(?=\/)(.*)/s) ?? [];
  const start = domain !== "" && domain === place.host().replace(/:\d+$/, "") ? (path ?? "/") : `/${publicId}`;
  const color = pageColor(theme, { version });
  const { lang, dir } = languageOf(settings) ?? {};
  const title = settings.title ?? name;
  return {
    id: start,
    name: title,
    short_name: title,
    ...(settings.description !== undefined && { description: settings.description }),
    ...(lang !== undefined && { lang, dir }),
    start_url: start,
    scope: start,
    display: "standalone",
    ...(color !== undefined && { theme_color: color, background_color: color }),
    icons: settings.iconUrl === undefined ? ourIcons(publicId) : [{ src: settings.iconUrl, sizes: "any" }],
  };
}

function ourIcons(publicId: string) {
  return [192, 512].map((size) => ({
    src: `/${publicId}/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose: "any maskable",
  }));
}

function fileResponse(body: BodyInit, contentType: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": contentType,
      "Cache-Control": "public, max-age=3600",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
