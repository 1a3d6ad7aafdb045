import type { ScreenEntry } from "./screen.ts";

/** Whether the bundle has the page that shows all of the design system: that of the sources has, the binary's has not. */
declare const hasGallery: boolean;

const signIn = () => import("../screens/sign-in/index.tsx");

/** Every screen by its address, the first that fits: one line each. */
export const screens: readonly ScreenEntry[] = [
  { pattern: "/sign-in", frame: "none", isPublic: true, load: signIn },
  { pattern: "/invitations", frame: "none", isPublic: true, load: signIn },
  { pattern: "/bots/:botId/preview", frame: "none", load: () => import("../screens/preview/index.tsx") },
  { pattern: "/bots/:botId/share", frame: "none", load: () => import("../screens/share/index.tsx") },
  { pattern: "/bots/:botId/results/:resultId?", frame: "none", load: () => import("../screens/results/index.tsx") },
  ...(hasGallery
    ? [{ pattern: "/ui", frame: "none", isPublic: true, load: () => import("../screens/ui/index.tsx") } as const]
    : []),
];
