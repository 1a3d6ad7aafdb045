import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiFailure } from "../api/index.ts";
import { dismissRefusal, refusal } from "../page-parts/refusals.ts";
import { sentenceOf } from "../page-parts/submit.ts";
import { PaletteButton } from "../palette/offers.tsx";
import { lastWorkspace, noteWorkspace } from "../session/preferences.ts";
import { isOffline, isOutdated } from "../session/service-state.ts";
import { useWorkspaces } from "../session/workspaces.ts";
import { Banner, Button, Dialog, IconButton } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { SideBar } from "./side-bar.tsx";

export type FrameProps = {
  /** The workspace in the URL. Undefined on pages outside a workspace, such as the account. */
  readonly workspaceId: string | undefined;
  readonly children: ComponentChildren;
};

/** The side bar and the current screen. In narrow windows, the side bar is a sheet. */
export function Frame({ workspaceId, children }: FrameProps) {
  const words = useWords();
  const { value: workspaces } = useWorkspaces();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const current = workspaceId ?? currentWorkspace(workspaces);
  const name = workspaces?.find(({ id }) => id === current)?.name ?? "Parley";
  useEffect(() => {
    if (workspaceId !== undefined) noteWorkspace(workspaceId);
  }, [workspaceId]);
  return (
    <div class="app-frame">
      <SideBar workspaceId={current} workspaces={workspaces ?? []} />
      <div class="app-content">
        <header class="app-top">
          <IconButton icon="menu" label={words.openNavigation} onPress={() => setSheetOpen(true)} />
          <span class="app-top-name">{name}</span>
          <PaletteButton />
        </header>
        <section class="app-notices" aria-label={words.notifications}>
          <Notices />
        </section>
        {children}
      </div>
      {isSheetOpen && (
        <Dialog shape="sheet" title={words.navigation} onClose={() => setSheetOpen(false)}>
          <SideBar workspaceId={current} workspaces={workspaces ?? []} isInSheet onFollow={() => setSheetOpen(false)} />
        </Dialog>
      )}
    </div>
  );
}

/**
 * Returns the last workspace that was open in this browser, if it still exists. Otherwise, returns the first workspace,
 * or undefined if there is none.
 */
export function currentWorkspace(workspaces: readonly { readonly id: string }[] | undefined): string | undefined {
  const last = lastWorkspace();
  return workspaces?.find(({ id }) => id === last)?.id ?? workspaces?.[0]?.id;
}

/** Notices about the whole page: a missing connection, another version of the service, and a failed action. */
export function Notices() {
  const words = useWords();
  return (
    <>
      {isOffline.value && <Banner text={words.offlineText} tone="warning" title={words.offlineTitle} />}
      {isOutdated.value && <NewVersion />}
      {refusal.value && <Refused failure={refusal.value} />}
    </>
  );
}

/** The message about a failed action. The message stays until it is dismissed or another screen opens. */
function Refused({ failure }: { readonly failure: ApiFailure }) {
  const words = useWords();
  return (
    <Banner
      text={failure.status === 0 ? words.offlineText : sentenceOf(failure, words.tooManyTries)}
      tone="danger"
      title={words.failedTitle}
      isAlert
      action={<IconButton icon="x" size="s" label={words.dismiss} onPress={dismissRefusal} />}
    />
  );
}

/** The notice that the version of the service differs from that of the page, with a button that reloads the page. */
export function NewVersion() {
  const words = useWords();
  return (
    <Banner
      text={words.newVersionText}
      title={words.newVersionTitle}
      action={<Button label={words.reload} onPress={() => location.reload()} />}
    />
  );
}
