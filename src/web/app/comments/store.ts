import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, call } from "../api/index.ts";
import type { CommentPlace } from "../editor/comment-signs.ts";
import type { OpenBot } from "../editor/index.ts";
import { me } from "../session/session.ts";

type First = Answer<"GET /api/v1/bots/:botId/comments">;
export type Comment = First["comments"][number];
export type Person = NonNullable<First["people"]>[number];

/** A thread, with its first comment and the replies in order. */
export type Thread = {
  readonly id: string;
  readonly place: CommentPlace | null;
  readonly isResolved: boolean;
  readonly comments: readonly Comment[];
};

export type Comments = ReturnType<typeof createComments>;

/** Returns the comments of an open bot. All parts of the screen share the same object. */
export function commentsOf(bot: OpenBot): Comments {
  const known = stores.get(bot) ?? createComments(bot);
  stores.set(bot, known);
  return known;
}

const stores = new WeakMap<OpenBot, Comments>();
const most = 2_000;

/**
 * Creates the store of a bot's comments. A written comment is shown after the response of the service. After changes by
 * other people, the comments are loaded again.
 *
 *     unread ─ load ─→ reading ─ response ─→ read ─ another person changes comments ─→ reading
 *     reading ─ another person changes comments ─→ reading, and after the response reading again
 *     reading ─ error or no response ─→ failed ─ load ─→ reading
 */
function createComments({ id: botId, comments: signs }: OpenBot) {
  const list = signal<readonly Comment[] | undefined>(undefined);
  const people = signal<readonly Person[]>([]);
  const seenAt = signal<string | null>(null);
  const failure = signal<string | undefined>(undefined);
  const threads: ReadonlySignal<readonly Thread[]> = computed(() => threadsIn(list.value ?? []));
  const drafts = new Map<string, string>();
  let reading: Promise<void> | undefined;
  let isAskedAgain = false;

  const read = async (): Promise<void> => {
    const all: Comment[] = [];
    let cursor: string | undefined;
    let first: First | undefined;
    do {
      const page: First = await call("GET /api/v1/bots/:botId/comments", {
        path: { botId },
        query: { limit: 100, ...(cursor !== undefined && { cursor }) },
      });
      first ??= page;
      all.push(...page.comments);
      cursor = page.nextCursor;
    } while (cursor !== undefined && all.length < most);
    batch(() => {
      list.value = all;
      people.value = first?.people ?? [];
      seenAt.value = first?.seenAt === null || first?.seenAt === undefined ? null : String(first.seenAt);
      failure.value = undefined;
      tell();
    });
  };

  /** Publishes the number of open threads and of unread comments to the rest of the screen. */
  const tell = (): void => {
    const counts = new Map<string, number>();
    for (const { place, isResolved } of threads.value) {
      if (isResolved || place === null || place.kind === "place") continue;
      counts.set(place.id, (counts.get(place.id) ?? 0) + 1);
    }
    signs.openAt.value = counts;
    signs.isMarked.value = threads.value.some(({ place, isResolved }) => !isResolved && place !== null);
    signs.unseen.value = (list.value ?? []).filter(isNew).length;
  };

  function isNew({ by, createdAt, isRemoved }: Comment): boolean {
    return !isRemoved && by?.userId !== me.value?.id && (seenAt.value === null || String(createdAt) > seenAt.value);
  }

  const load = async (): Promise<void> => {
    if (reading) {
      isAskedAgain = true;
      return reading;
    }
    reading = read().catch((error: unknown) => {
      failure.value = error instanceof Error ? error.message : String(error);
    });
    await reading;
    reading = undefined;
    if (!isAskedAgain) return;
    isAskedAgain = false;
    await load();
  };

  /** Adds a comment that the service returned, or replaces its earlier state. */
  const put = (comment: Comment): void => {
    const others = (list.value ?? []).filter(({ id }) => id !== comment.id);
    list.value = [comment, ...others].sort((one, other) => (String(one.createdAt) < String(other.createdAt) ? 1 : -1));
    tell();
  };

  return {
    threads,
    people,
    failure,
    isRead: computed(() => list.value !== undefined),
    isNew,
    load,
    /** Returns the unsent comment on an object, and a function that stores it. */
    draftAt(place: CommentPlace) {
      const key = JSON.stringify(place);
      return { text: drafts.get(key) ?? "", keep: (text: string) => void drafts.set(key, text) };
    },
    async write(text: string, at: { readonly place: CommentPlace } | { readonly threadId: string }): Promise<Comment> {
      const { comment } = await call("POST /api/v1/bots/:botId/comments", { path: { botId }, body: { text, ...at } });
      put(comment);
      return comment;
    },
    async change(commentId: string, body: { readonly text?: string; readonly isResolved?: boolean }): Promise<void> {
      const path = { botId, commentId };
      put((await call("PATCH /api/v1/bots/:botId/comments/:commentId", { path, body })).comment);
    },
    async remove(commentId: string): Promise<void> {
      await call("DELETE /api/v1/bots/:botId/comments/:commentId", { path: { botId, commentId } });
      await load();
    },
    /** Marks all existing comments as read on the service. The open panel still shows them as new. */
    async see(): Promise<void> {
      const newest = list.value?.find((comment) => isNew(comment));
      if (!newest) return;
      const at = String(newest.createdAt);
      seenAt.value = at;
      tell();
      await call("PUT /api/v1/bots/:botId/comments/seen", { path: { botId }, body: { at } }).catch(() => {});
    },
  };
}

/** Groups the comments by thread. The thread with the newest comment comes first. */
function threadsIn(list: readonly Comment[]): readonly Thread[] {
  const byThread = Map.groupBy(list, ({ threadId }) => threadId);
  return [...byThread].flatMap(([id, comments]) => {
    const first = comments.find((one) => one.id === id);
    if (!first) return [];
    return [{ id, place: first.place, isResolved: first.resolvedAt !== null, comments: comments.toReversed() }];
  });
}
