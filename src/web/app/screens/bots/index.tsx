import { LayoutGrid, List } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { currentWorkspace } from "../../frame/frame.tsx";
import { NewWorkspace } from "../../frame/new-workspace.tsx";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { FailureState, QueryState, Suspended } from "../../page-parts/states.tsx";
import { go, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { botsView, setBotsView } from "../../session/preferences.ts";
import { useFolders, useWorkspaces } from "../../session/workspaces.ts";
import { addIcons, Button, EmptyState, Icon, Segments, Select, Skeleton, TextField } from "../../ui/index.ts";
import dashboardWords from "../../words/en/dashboard.json";
import { useWords } from "../../words/index.ts";
import { BotList } from "./bot-list.tsx";
import { type BotList as BotQuery, type BotSort, useBots } from "./bots.ts";
import { TemplateDoors } from "./cards/template-doors.tsx";
import { Figures } from "./figures/figures.tsx";
import { NewBot, type NewBotTab } from "./new-bot.tsx";
import "./bots.css";

addIcons({ "layout-grid": LayoutGrid, list: List });

/** The bots of a workspace or of one of its folders, or the archived bots. */
export default function Bots({ params }: ScreenProps) {
  const words = useWords();
  const workspaces = useWorkspaces();
  const workspaceId = params["workspaceId"] ?? currentWorkspace(workspaces.value);
  const { value: folders } = useFolders(workspaceId);
  const folderId = params["folderId"];
  const isArchived = route.value.path.endsWith("/archive");
  const title = isArchived ? words.archive : (folders?.find(({ id }) => id === folderId)?.name ?? words.bots);
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  // The root redirects to the last workspace, so that each page has only one URL.
  useEffect(() => {
    if (params["workspaceId"] === undefined && workspaceId !== undefined)
      go(`/w/${workspaceId}`, { isReplacing: true });
  }, [workspaceId]);

  if (workspaceId === undefined) {
    return (
      <main class="app-page" id="main" tabIndex={-1}>
        <h1 class="visually-hidden">{words.bots}</h1>
        {workspaces.failure ? (
          <FailureState failure={workspaces.failure} onRetry={() => location.reload()} />
        ) : workspaces.value ? (
          <NoWorkspace />
        ) : (
          <Skeleton />
        )}
      </main>
    );
  }
  const workspace = workspaces.value?.find(({ id }) => id === workspaceId);
  return (
    <main class="app-page" id="main" tabIndex={-1}>
      {workspace?.isSuspended ? (
        <>
          <h1 class="visually-hidden">{title}</h1>
          <Suspended reason={workspace.suspendedReason ?? undefined} />
        </>
      ) : (
        <Listed
          key={`${workspaceId}/${folderId}/${isArchived}`}
          title={title}
          place={{ workspaceId, folderId, isArchived }}
        />
      )}
    </main>
  );
}

/** Shown to people without a workspace, such as people who left the sign-up before naming their first one. */
function NoWorkspace() {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <EmptyState icon="building-2" title={words.firstWorkspaceTitle} text={words.firstWorkspaceText}>
        <Button label={words.newWorkspace} kind="primary" icon="plus" onPress={() => setMaking(true)} />
      </EmptyState>
      {isMaking && <NewWorkspace onClose={() => setMaking(false)} />}
    </>
  );
}

type ListedProps = {
  readonly title: string;
  readonly place: Pick<BotQuery, "workspaceId" | "folderId" | "isArchived">;
};

const newTabs: readonly NewBotTab[] = ["templates", "blank", "import"];

function tabNamed(name: string | null): NewBotTab {
  return newTabs.find((tab) => tab === name) ?? "templates";
}

/** The number of bots below which templates are shown. */
const fewBots = 4;
/** The number of cards on the screen, for bots and templates together. */
const cards = 8;

function Listed({ title, place }: ListedProps) {
  const words = useWords();
  const ofDashboard = useWords(dashboardWords);
  const asked = route.value.query;
  const search = asked.get("q") ?? "";
  const sorts = [
    { value: "updatedAt", label: words.sortUpdated },
    { value: "name", label: words.sortName },
    { value: "createdAt", label: words.sortCreated },
    { value: "lastAnsweredAt", label: words.sortAnswered },
  ] as const;
  const sort = sorts.find(({ value }) => value === asked.get("sort"))?.value ?? "updatedAt";
  const { query, showMore } = useBots({ ...place, search, sort });
  const [making, setMaking] = useState<NewBotTab | undefined>(
    asked.has("new") ? tabNamed(asked.get("new")) : undefined,
  );
  // Also handles a request that is made while this screen is open, for example from the palette.
  useEffect(() => {
    if (asked.has("new")) setMaking(tabNamed(asked.get("new")));
  }, [asked.get("new")]);
  const ask = (next: { readonly q?: string; readonly sort?: BotSort }) => {
    const kept = new URLSearchParams(Object.entries({ q: search, sort, ...next }).filter(([, value]) => value !== ""));
    if (kept.get("sort") === "updatedAt") kept.delete("sort");
    go(`${route.value.path}${kept.size === 0 ? "" : `?${kept}`}`, { isReplacing: true });
  };
  const [template, setTemplate] = useState<string>();
  const isHome = search === "" && place.folderId === undefined && !place.isArchived;
  const isFirst = query.value?.bots.length === 0 && isHome;
  return (
    <>
      <header class="app-page-head">
        <h1>{title}</h1>
        {!place.isArchived && (
          <Button label={words.newBot} kind="primary" icon="plus" onPress={() => setMaking("templates")} />
        )}
      </header>
      {isHome && query.value && !isFirst && <Figures workspaceId={place.workspaceId} />}
      {!isFirst && (
        <search class="bots-tools">
          <TextField
            name={words.searchBots}
            placeholder={words.searchBots}
            type="search"
            icon="search"
            value={search}
            onInput={(q) => ask({ q })}
          />
          <Select name={words.sortBy} value={sort} options={sorts} onChange={(chosen) => ask({ sort: chosen })} />
          <Segments
            label={ofDashboard.view}
            value={botsView.value}
            options={[
              { value: "cards", label: <Icon name="layout-grid" label={ofDashboard.cards} /> },
              { value: "list", label: <Icon name="list" label={ofDashboard.list} /> },
            ]}
            onChange={setBotsView}
          />
        </search>
      )}
      <QueryState query={query}>
        {({ bots, hasMore }) =>
          isFirst ? (
            <FirstBot onChoose={setMaking} />
          ) : bots.length === 0 ? (
            <Nothing
              place={place}
              search={search}
              onClear={() => ask({ q: "" })}
              onNew={() => setMaking("templates")}
            />
          ) : (
            <>
              <BotList bots={bots} workspaceId={place.workspaceId} view={botsView.value} />
              {isHome && bots.length < fewBots && (
                <TemplateDoors
                  count={cards - bots.length}
                  onChoose={(id) => {
                    setTemplate(id);
                    setMaking("templates");
                  }}
                />
              )}
              {hasMore && (
                <div class="bots-more">
                  <Button label={words.showMore} busy={query.isLoading} onPress={showMore} />
                </div>
              )}
            </>
          )
        }
      </QueryState>
      {making && (
        <NewBot
          tab={making}
          onTab={(tab) => {
            setTemplate(undefined);
            setMaking(tab);
          }}
          template={template}
          place={{ workspaceId: place.workspaceId, folderId: place.folderId ?? null }}
          onClose={() => {
            setMaking(undefined);
            setTemplate(undefined);
            if (asked.has("new")) ask({});
          }}
        />
      )}
    </>
  );
}

type NothingProps = Pick<ListedProps, "place"> & {
  readonly search: string;
  readonly onClear: () => void;
  readonly onNew: () => void;
};

function Nothing({ place, search, onClear, onNew }: NothingProps) {
  const words = useWords();
  if (search !== "") {
    return (
      <EmptyState
        drawing={<EmptyDrawing of="search" />}
        title={words.noBotsFound({ search })}
        text={words.noBotsFoundText}
      >
        <Button label={words.clearSearch} onPress={onClear} />
      </EmptyState>
    );
  }
  if (place.isArchived)
    return (
      <EmptyState
        drawing={<EmptyDrawing of="archive" />}
        title={words.emptyArchiveTitle}
        text={words.emptyArchiveText}
      />
    );
  return (
    <EmptyState drawing={<EmptyDrawing of="folder" />} title={words.emptyFolderTitle} text={words.emptyFolderText}>
      <Button label={words.newBot} icon="plus" onPress={onNew} />
    </EmptyState>
  );
}

/** An empty workspace, which offers three options to create a bot and a hint about the API. */
function FirstBot({ onChoose }: { readonly onChoose: (tab: NewBotTab) => void }) {
  const words = useWords();
  const doors = [
    { tab: "templates", icon: "layout-template", title: words.doorTemplate, text: words.doorTemplateText },
    { tab: "blank", icon: "file-plus-2", title: words.doorBlank, text: words.doorBlankText },
    { tab: "import", icon: "upload", title: words.doorImport, text: words.doorImportText },
  ] as const;
  return (
    <section class="first-bot">
      <EmptyDrawing of="first" />
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
      <div class="first-bot-doors">
        {doors.map(({ tab, icon, title, text }) => (
          <button key={tab} type="button" class="first-bot-door" onClick={() => onChoose(tab)}>
            <Icon name={icon} size={22} />
            <strong>{title}</strong>
            <span>{text}</span>
          </button>
        ))}
      </div>
      <p class="first-bot-api">
        {words.emptyApi} <a href="/docs">POST /api/v1/bots</a>
      </p>
    </section>
  );
}
