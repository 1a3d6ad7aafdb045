import { useState } from "preact/hooks";
import { keysOf } from "../keys/keymap.ts";
import { showKeys } from "../keys/letter-keys.ts";
import { PaletteButton } from "../palette/offers.tsx";
import { go, Link, route } from "../routing/router.ts";
import { chooseLanguage, scheme, setScheme } from "../session/preferences.ts";
import { servicePage, useInstance } from "../session/service-pages.ts";
import { me, signOut } from "../session/session.ts";
import type { WorkspaceEntry } from "../session/workspaces.ts";
import { Icon, Menu, type MenuItem } from "../ui/index.ts";
import { language, languageName, languages, useWords } from "../words/index.ts";
import { FolderTree } from "./folder-tree.tsx";
import { NewWorkspace } from "./new-workspace.tsx";

export type SideBarProps = {
  readonly workspaceId: string | undefined;
  readonly workspaces: readonly WorkspaceEntry[];
  readonly isInSheet?: boolean;
  readonly onFollow?: (() => void) | undefined;
};

/** The navigation: workspaces, bots, folders, figures, archive, bin, settings and account. */
export function SideBar({ workspaceId, workspaces, isInSheet = false, onFollow }: SideBarProps) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const { path } = route.value;
  const base = `/w/${workspaceId ?? ""}`;
  const link = (to: string, icon: string, label: string, isCurrent = path === to) => (
    <Link to={to} class="app-side-link" isCurrent={isCurrent} onFollow={onFollow}>
      <Icon name={icon} />
      {label}
    </Link>
  );
  return (
    <nav class={`app-side ${isInSheet ? "is-in-sheet" : ""}`} aria-label={words.navigation}>
      <div class="app-side-head">
        <WorkspaceSwitch {...{ workspaceId, workspaces, onFollow }} onNew={() => setMaking(true)} />
        <PaletteButton />
      </div>
      <div class="app-side-scroll">
        {workspaceId !== undefined && (
          <>
            {link(base, "message-circle", words.allBots, path === base || path === "/")}
            {link(`${base}/insight`, "chart-column", words.insight)}
            {link(`${base}/archive`, "archive", words.archive)}
            {link(`${base}/bin`, "trash-2", words.bin)}
            {link(`${base}/settings`, "settings", words.workspaceSettings, path.startsWith(`${base}/settings`))}
            <FolderTree workspaceId={workspaceId} onFollow={onFollow} />
          </>
        )}
      </div>
      <div class="app-side-foot">
        <AccountMenu onFollow={onFollow} />
      </div>
      {isMaking && <NewWorkspace onClose={() => setMaking(false)} />}
    </nav>
  );
}

type SwitchProps = Pick<SideBarProps, "workspaceId" | "workspaces" | "onFollow"> & { readonly onNew: () => void };

function WorkspaceSwitch({ workspaceId, workspaces, onFollow, onNew }: SwitchProps) {
  const words = useWords();
  const current = workspaces.find(({ id }) => id === workspaceId);
  const follow = followWith(onFollow);
  const items = (): MenuItem[] => [
    { kind: "title", label: words.switchWorkspace },
    ...workspaces.map(
      ({ id, name }): MenuItem => ({
        label: name,
        isChecked: id === workspaceId,
        onPress: () => follow(() => go(`/w/${id}`)),
      }),
    ),
    { kind: "line" },
    { label: words.newWorkspace, icon: "plus", onPress: onNew },
  ];
  return <Menu kind="quiet" label={current?.name ?? "Parley"} icon="building-2" items={items} />;
}

function AccountMenu({ onFollow }: Pick<SideBarProps, "onFollow">) {
  const words = useWords();
  const person = me.value;
  const follow = followWith(onFollow);
  const { value: service } = useInstance();
  if (!person) return null;
  const items = (): MenuItem[] => [
    {
      label: words.account,
      icon: "user",
      hint: person.email ?? undefined,
      onPress: () => follow(() => go("/account")),
    },
    {
      label: words.allKeys,
      icon: "circle-help",
      keys: keysOf("help"),
      onPress: () => follow(showKeys),
    },
    { kind: "line" },
    { kind: "title", label: words.appearance },
    ...(
      [
        ["system", words.schemeSystem, "monitor"],
        ["light", words.schemeLight, "sun"],
        ["dark", words.schemeDark, "moon"],
      ] as const
    ).map(
      ([value, label, icon]): MenuItem => ({
        label,
        icon,
        isChecked: scheme.value === value,
        onPress: () => setScheme(value),
      }),
    ),
    { kind: "title", label: words.language },
    ...languages.map(
      (tag): MenuItem => ({
        label: languageName(tag),
        isChecked: language.value === tag,
        onPress: () => void chooseLanguage(tag),
      }),
    ),
    { kind: "line" },
    ...(person.isAdministrator
      ? [
          {
            label: words.instance,
            icon: "globe",
            onPress: () => follow(() => go("/instance")),
          },
        ]
      : []),
    ...(service
      ? [
          {
            label: words.documentation,
            icon: "circle-help",
            onPress: () => void window.open(servicePage(service, "/docs"), "_blank", "noopener"),
          },
        ]
      : []),
    { label: words.signOut, icon: "log-out", onPress: () => void leave() },
  ];
  return <Menu kind="quiet" label={person.name} icon="user" items={items} />;
}

/**
 * Returns a function that first closes the sheet around the side bar, if there is one, and then opens a link or dialog.
 */
function followWith(onFollow: SideBarProps["onFollow"]): (open: () => void) => void {
  return (open) => {
    onFollow?.();
    open();
  };
}

async function leave(): Promise<void> {
  await signOut();
  go("/sign-in", { isReplacing: true });
}
