import type { ScreenEntry } from "../routing/screen.ts";

/** Whether the bundle contains the design system's page. True when running from the sources, false in the binary. */
declare const hasGallery: boolean;

const bots = () => import("../screens/bots/index.tsx");
const workspace = () => import("../screens/workspace/index.tsx");
const account = () => import("../screens/account/index.tsx");
const versions = () => import("../screens/versions/index.tsx");
const signIn = () => import("../screens/sign-in/index.tsx");

/** All screens by their path patterns. The first match is used. */
export const screens: readonly ScreenEntry[] = [
  { pattern: "/sign-in", frame: "none", isPublic: true, load: signIn },
  { pattern: "/invitations", frame: "none", isPublic: true, load: signIn },
  { pattern: "/oauth/google", frame: "none", load: () => import("../screens/oauth/index.tsx") },
  { pattern: "/", frame: "workspace", load: bots },
  { pattern: "/w/:workspaceId", frame: "workspace", load: bots },
  { pattern: "/w/:workspaceId/folders/:folderId", frame: "workspace", load: bots },
  { pattern: "/w/:workspaceId/archive", frame: "workspace", load: bots },
  { pattern: "/w/:workspaceId/bin", frame: "workspace", load: () => import("../screens/bin/index.tsx") },
  {
    pattern: "/w/:workspaceId/insight",
    frame: "workspace",
    load: () => import("../screens/workspace-insight/index.tsx"),
  },
  { pattern: "/w/:workspaceId/settings/:section?", frame: "workspace", load: workspace },
  {
    pattern: "/w/:workspaceId/channels/:connectionId/:section?/:contactId?",
    frame: "workspace",
    load: () => import("../screens/channels/index.tsx"),
  },
  { pattern: "/account/:section?", frame: "workspace", load: account },
  { pattern: "/instance/:section?", frame: "workspace", load: () => import("../screens/instance/index.tsx") },
  { pattern: "/bots/:botId", frame: "none", load: () => import("../screens/flow/index.tsx") },
  { pattern: "/bots/:botId/preview", frame: "none", load: () => import("../screens/preview/index.tsx") },
  { pattern: "/bots/:botId/theme", frame: "none", load: () => import("../screens/theme/index.tsx") },
  { pattern: "/bots/:botId/settings", frame: "none", load: () => import("../screens/settings/index.tsx") },
  { pattern: "/bots/:botId/share", frame: "none", load: () => import("../screens/share/index.tsx") },
  { pattern: "/bots/:botId/results/:resultId?", frame: "none", load: () => import("../screens/results/index.tsx") },
  { pattern: "/bots/:botId/insight", frame: "none", load: () => import("../screens/insight/index.tsx") },
  { pattern: "/bots/:botId/tests", frame: "none", load: () => import("../screens/tests/index.tsx") },
  { pattern: "/bots/:botId/versions/:number?", frame: "none", load: versions },
  { pattern: "/bots/:botId/versions/:number/compare/:other", frame: "none", load: versions },
  ...(hasGallery
    ? [{ pattern: "/ui", frame: "none", isPublic: true, load: () => import("../screens/ui/index.tsx") } as const]
    : []),
];
