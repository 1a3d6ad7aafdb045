import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { ApiFailure } from "../api/index.ts";
import { Frame } from "../frame/frame.tsx";
import { areKeysShown, showKeys } from "../keys/letter-keys.ts";
import { isElsewhere, useCommands } from "../keys/use-commands.ts";
import { FailureState, NotFound } from "../page-parts/states.tsx";
import { isPaletteOpen } from "../palette/offers.tsx";
import { go, match, route } from "../routing/router.ts";
import type { ScreenEntry, ScreenProps } from "../routing/screen.ts";
import { hasEnded, loadMe, me } from "../session/session.ts";
import { leftBehind } from "../session/unsaved.ts";
import { Announcer, Button, EmptyState, later, Skeleton, Toasts } from "../ui/index.ts";
import { laterWithField } from "../ui/later.tsx";
import { useWords } from "../words/index.ts";
import { screens } from "./screens.ts";
import { LeftBehind, SignInAgain } from "./sign-in-again.tsx";
import "./shell.css";

const Palette = laterWithField<{ readonly onClose: () => void }>(
  async () => (await import("./palette/palette.tsx")).Palette,
);

/** Shows the palette above any screen. The palette is loaded when it is first opened. */
function PaletteHost() {
  return isPaletteOpen.value ? (
    <Palette
      onClose={() => {
        isPaletteOpen.value = false;
      }}
    />
  ) : null;
}

const KeysDialog = later(async () => (await import("./keys/keys-dialog.tsx")).KeysDialog);

/**
 * Handles the shortcuts of every screen, and shows the list of all shortcuts, which is loaded when it is first opened.
 */
function KeysHost() {
  useCommands(
    "page",
    {
      help: (event) => !isElsewhere(event) && showKeys(),
      palette() {
        isPaletteOpen.value = !isPaletteOpen.value;
      },
    },
    // Text editors use Ctrl+K to insert a link.
    ({ defaultPrevented }) => defaultPrevented || !me.value,
  );
  return areKeysShown.value ? (
    <KeysDialog
      onClose={() => {
        areKeysShown.value = false;
      }}
    />
  ) : null;
}

/** The state of the request for the signed-in person. */
const sign = signal<"unknown" | "known" | ApiFailure>("unknown");

/** The whole page: the screen of the current URL in its frame, after the checks for the sign-in. */
export function Shell() {
  const words = useWords();
  const { path } = route.value;
  const found = screenAt(path);
  const needsMe = found !== undefined && !found.entry.isPublic && me.value === undefined;
  useEffect(() => {
    if (needsMe) void recognise();
  }, [needsMe]);
  return (
    <>
      <button type="button" class="app-skip" onClick={skip}>
        {words.skipToContent}
      </button>
      {needsMe ? <Waiting /> : found ? <Found {...found} /> : <Lost />}
      {hasEnded.value && <SignInAgain />}
      {leftBehind.value.length > 0 && <LeftBehind />}
      <PaletteHost />
      <KeysHost />
      <Toasts />
      <Announcer />
    </>
  );
}

type FoundScreen = { readonly entry: ScreenEntry; readonly params: ScreenProps["params"] };

function screenAt(path: string): FoundScreen | undefined {
  for (const entry of screens) {
    const params = match(entry.pattern, path);
    if (params) return { entry, params };
  }
  return undefined;
}

/** A page with a single message. */
function Alone({ children }: { readonly children: ComponentChildren }) {
  return (
    <main class="app-alone" id="main" tabIndex={-1}>
      <h1 class="visually-hidden">Parley</h1>
      {children}
    </main>
  );
}

/**
 * Moves the focus past the navigation and a long list of blocks to the main content. A button calls this function
 * instead of a link, because the URL must not change.
 */
function skip(): void {
  const main = document.getElementById("main");
  (main?.querySelector<HTMLElement>("[data-content]") ?? main)?.focus();
}

async function recognise(): Promise<void> {
  sign.value = "unknown";
  try {
    if (!(await loadMe())) {
      const { path, query } = route.value;
      const next = path === "/" ? "" : `?next=${encodeURIComponent(path + (query.size === 0 ? "" : `?${query}`))}`;
      go(`/sign-in${next}`, { isReplacing: true });
    }
    sign.value = "known";
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    sign.value = error;
  }
}

function Waiting() {
  const state = sign.value;
  return (
    <Alone>
      {state instanceof ApiFailure ? <FailureState failure={state} onRetry={recognise} /> : <Skeleton rows={3} />}
    </Alone>
  );
}

function Lost() {
  return (
    <Alone>
      <NotFound />
    </Alone>
  );
}

function Found({ entry, params }: FoundScreen) {
  if (entry.frame === "none") return <Loaded entry={entry} params={params} />;
  return (
    <Frame workspaceId={params["workspaceId"]}>
      <Loaded entry={entry} params={params} />
    </Frame>
  );
}

const loadedScreens = signal<ReadonlyMap<ScreenEntry["load"], ComponentType<ScreenProps> | "failed">>(new Map());

function load(loader: ScreenEntry["load"]): void {
  const note = (screen: ComponentType<ScreenProps> | "failed") => {
    loadedScreens.value = new Map(loadedScreens.value).set(loader, screen);
  };
  loader().then(
    (module) => note(module.default),
    () => note("failed"),
  );
}

/**
 * Shows a screen after its code is loaded. If the code cannot be loaded or the screen throws an error, a button reloads
 * the page.
 */
function Loaded({ entry, params }: FoundScreen) {
  const words = useWords();
  const [error] = useErrorBoundary();
  const Screen = loadedScreens.value.get(entry.load);
  useEffect(() => {
    if (Screen === undefined) load(entry.load);
  }, [entry.load, Screen]);
  if (error !== undefined || Screen === "failed") {
    return (
      <Alone>
        <EmptyState icon="triangle-alert" title={words.failedTitle} text={words.failedText}>
          <Button label={words.reload} kind="primary" icon="refresh-cw" onPress={() => location.reload()} />
        </EmptyState>
      </Alone>
    );
  }
  if (Screen === undefined) {
    return (
      <Alone>
        <Skeleton rows={5} />
      </Alone>
    );
  }
  return <Screen params={params} />;
}
