import { useEffect, useRef, useState } from "preact/hooks";
import { call, useQuery } from "../api/index.ts";
import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import { useBlockTypes } from "../forms/reading.ts";
import { me } from "../session/session.ts";
import { Banner, Button, EmptyState, Select, Skeleton } from "../ui/index.ts";
import commentWords from "../words/en/comment.json";
import { useWords } from "../words/index.ts";
import { Composer } from "./composer.tsx";
import { choosePlace, titleOfPlace } from "./places.ts";
import { selectedPlace } from "./selected-place.ts";
import { type Comments, commentsOf, type Thread } from "./store.ts";
import { ThreadView } from "./thread.tsx";

const filters = ["open", "new", "mine", "resolved", "all"] as const;
type Filter = (typeof filters)[number];

/** The request that opened the panel: to comment on an object, or to show a thread. */
export type CommentsAsked = { readonly at?: CommentPlace | undefined; readonly threadId?: string | undefined };

type Props = {
  readonly bot: OpenBot;
  readonly asked: CommentsAsked;
  /** Shows the object of a comment on the canvas. */
  readonly onLook: (place: CommentPlace) => void;
};

/**
 * The comments panel of a bot, with a field for a new comment on the selection, and the threads below it, newest first.
 */
export function CommentsPanel({ bot, asked, onLook }: Props) {
  const words = useWords(commentWords);
  const comments = commentsOf(bot);
  const [filter, setFilter] = useState<Filter>("open");
  const [shown, setShown] = useState(pageSize);
  const news = useNews(comments);
  const list = useRef<HTMLDivElement>(null);
  const { workspaceId } = bot.bot.value;
  // A collaborator who is not a member of the workspace cannot read the workspace, and is therefore not treated as an
  // administrator.
  const { value: workspace } = useQuery(`workspaces/${workspaceId}/mode`, () =>
    call("GET /api/v1/workspaces/:workspaceId", { path: { workspaceId } }),
  );
  const isAdmin = workspace?.currentUserMode === "write";
  useEffect(() => {
    if (asked.threadId === undefined) return;
    setFilter("all");
    setShown(allThreads);
    const timer = setTimeout(() =>
      list.current?.querySelector(`[data-thread="${asked.threadId}"]`)?.scrollIntoView({ block: "nearest" }),
    );
    return () => clearTimeout(timer);
  }, [asked]);
  // Each request moves the focus to the field for a new comment. A change of the selection does not, because arrow keys
  // change the selection while the panel is open.
  useEffect(() => {
    if (asked.at) list.current?.querySelector<HTMLElement>(":scope > .comment-composer textarea")?.focus();
  }, [asked]);
  const place = selectedPlace(bot) ?? asked.at;
  const titles = { onCanvas: words.onCanvas, untitled: words.untitled, types: useBlockTypes() };
  const about = place && titleOfPlace(bot, place, titles);
  const isShown = (thread: Thread) => isIn(thread, filter, news);
  const threads = comments.threads.value.filter(isShown);
  const placed = threads.filter((thread) => titleOf(bot, thread, titles) !== undefined);
  const lost = threads.filter((thread) => !placed.includes(thread));
  const view = (thread: Thread) => {
    const { id, place: at } = thread;
    const title = titleOf(bot, thread, titles);
    const show = () => {
      if (at === null) return;
      choosePlace(bot, at);
      onLook(at);
    };
    return (
      <ThreadView
        key={id}
        {...{ thread, comments }}
        newIds={news.ids}
        title={title ?? words.lost}
        mayDeleteAll={isAdmin}
        isChosen={id === asked.threadId}
        onShow={title === undefined ? undefined : show}
      />
    );
  };
  return (
    <div class="comments" ref={list}>
      {place && about !== undefined ? (
        <Composer
          key={JSON.stringify(place)}
          label={words.commentOn({ name: about || words.untitled })}
          submit={words.comment}
          people={comments.people.value}
          draft={comments.draftAt(place)}
          onSend={async (text) => {
            await comments.write(text, { place });
            if (filter !== "open" && filter !== "all") setFilter("open");
          }}
        />
      ) : (
        <p class="comment-hint">{words.chooseFirst}</p>
      )}
      {comments.failure.value !== undefined && (
        <Banner
          tone="danger"
          text={comments.failure.value}
          action={<Button label={words.tryAgain} size="s" onPress={() => void comments.load()} />}
        />
      )}
      <Select
        name={words.filter}
        value={filter}
        options={filters.map((value) => ({ value, label: words.filters[value] }))}
        onChange={setFilter}
      />
      {!comments.isRead.value && comments.failure.value === undefined && <Skeleton rows={4} />}
      {comments.isRead.value && threads.length === 0 && <EmptyState icon="message-circle" title={words.none[filter]} />}
      <ol class="comment-threads">{placed.slice(0, shown).map(view)}</ol>
      {lost.length > 0 && (
        <>
          <h3 class="comment-lost">{words.without}</h3>
          <ol class="comment-threads">{lost.slice(0, shown).map(view)}</ol>
        </>
      )}
      {Math.max(placed.length, lost.length) > shown && (
        <Button label={words.further} size="s" onPress={() => setShown(shown + pageSize)} />
      )}
    </div>
  );
}

const pageSize = 50;
const allThreads = 2_000;

type Titles = Parameters<typeof titleOfPlace>[2] & { readonly untitled: string };

function titleOf(bot: OpenBot, { place }: Thread, titles: Titles) {
  const title = titleOfPlace(bot, place, titles);
  return title === "" ? titles.untitled : title;
}

function isIn({ id: threadId, comments, isResolved }: Thread, filter: Filter, news: News): boolean {
  const own = me.value?.id;
  switch (filter) {
    case "open":
      return !isResolved || news.inResolved.has(threadId);
    case "resolved":
      return isResolved;
    case "new":
      return comments.some(({ id }) => news.ids.has(id));
    case "mine":
      return comments.some(({ by, mentions }) => by?.userId === own || mentions.some(({ userId }) => userId === own));
    case "all":
      return true;
  }
}

type News = {
  readonly ids: ReadonlySet<string>;
  /**
   * The resolved threads with unread comments. Opening the panel marks the comments as read, so these threads are shown
   * until the panel is closed.
   */
  readonly inResolved: ReadonlySet<string>;
};

/**
 * Returns the comments that were unread when the panel was opened or that arrived later, and the resolved threads with
 * such comments. The service stores these comments as read, but the panel still marks them as new.
 */
function useNews(comments: Comments): News {
  const [news, setNews] = useState<News>({ ids: new Set(), inResolved: new Set() });
  const found = comments.threads.value.flatMap((thread) =>
    thread.comments.filter(comments.isNew).map(({ id }) => ({ id, thread })),
  );
  const key = found.map(({ id }) => id).join();
  useEffect(() => {
    if (key === "") return;
    const resolved = found.flatMap(({ thread }) => (thread.isResolved ? [thread.id] : []));
    setNews(({ ids, inResolved }) => ({
      ids: new Set([...ids, ...key.split(",")]),
      inResolved: new Set([...inResolved, ...resolved]),
    }));
    void comments.see();
  }, [key]);
  return news;
}
