import { useState } from "preact/hooks";
import { colorOf } from "../editor/person-colors.ts";
import { me } from "../session/session.ts";
import { Badge, Button, ConfirmDialog, IconButton, toast } from "../ui/index.ts";
import commentWords from "../words/en/comment.json";
import { timeText, useWords, whenText } from "../words/index.ts";
import { Composer } from "./composer.tsx";
import { partsOf } from "./mentions.ts";
import type { Comment, Comments, Thread } from "./store.ts";

type Props = {
  readonly thread: Thread;
  readonly title: string;
  readonly comments: Comments;
  readonly newIds: ReadonlySet<string>;
  readonly mayDeleteAll: boolean;
  readonly isChosen: boolean;
  /** Shows the object of the thread; absent if the object was removed. */
  readonly onShow: (() => void) | undefined;
};

/** A thread with its replies and actions. */
export function ThreadView({ thread, title, comments, newIds, mayDeleteAll, isChosen, onShow }: Props) {
  const words = useWords(commentWords);
  const [isAnswering, setAnswering] = useState(false);
  const { id, isResolved } = thread;
  const resolve = () => comments.change(id, { isResolved: !isResolved }).catch(tellFailure);
  return (
    <li class={`comment-thread ${isChosen ? "is-chosen" : ""}`} data-thread={id}>
      <div class="comment-thread-head">
        {onShow ? (
          <button
            type="button"
            class="comment-place"
            dir="auto"
            aria-label={words.show({ name: title })}
            onClick={onShow}
          >
            {title}
          </button>
        ) : (
          <span class="comment-place" dir="auto">
            {title}
          </span>
        )}
        {isResolved && <Badge label={words.resolved} tone="good" icon="check" />}
        <IconButton
          icon={isResolved ? "undo-2" : "circle-check"}
          size="s"
          label={isResolved ? words.reopen : words.resolve}
          onPress={() => void resolve()}
        />
      </div>
      <ol class="comment-list">
        {thread.comments.map((comment) => (
          <OneComment
            key={comment.id}
            comment={comment}
            comments={comments}
            isNew={newIds.has(comment.id)}
            mayDelete={mayDeleteAll || comment.by?.userId === me.value?.id}
          />
        ))}
      </ol>
      {isAnswering ? (
        <Composer
          label={words.answerLabel}
          submit={words.answer}
          people={comments.people.value}
          isFocused
          onSend={async (text) => {
            await comments.write(text, { threadId: id });
            setAnswering(false);
          }}
          onCancel={() => setAnswering(false)}
        />
      ) : (
        <Button label={words.answer} size="s" kind="quiet" icon="reply" onPress={() => setAnswering(true)} />
      )}
    </li>
  );
}

type OneProps = {
  readonly comment: Comment;
  readonly comments: Comments;
  readonly isNew: boolean;
  readonly mayDelete: boolean;
};

function OneComment({ comment, comments, isNew, mayDelete }: OneProps) {
  const words = useWords(commentWords);
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { id, by, text, mentions, isRemoved, createdAt, editedAt } = comment;
  if (isRemoved) return <li class="comment is-removed">{words.removed}</li>;
  const isOwn = by !== null && by.userId === me.value?.id;
  const name = by?.name ?? words.nobody;
  return (
    <li class="comment" data-comment={id}>
      <div class="comment-head">
        <span class="comment-avatar" data-person={by ? colorOf(by.userId) : undefined} aria-hidden="true">
          {name.slice(0, 1).toLocaleUpperCase()}
        </span>
        <strong dir="auto">{name}</strong>
        <time dateTime={String(createdAt)} title={timeText(createdAt)}>
          {whenText(createdAt)}
        </time>
        {editedAt !== null && <span title={timeText(editedAt)}>{words.edited}</span>}
        {isNew && <Badge label={words.new} tone="accent" />}
        <span class="comment-space" />
        {isOwn && !isEditing && (
          <IconButton icon="pencil" size="s" label={words.edit} onPress={() => setEditing(true)} />
        )}
        {mayDelete && !isEditing && (
          <IconButton icon="trash-2" size="s" label={words.delete} onPress={() => setDeleting(true)} />
        )}
      </div>
      {isDeleting && (
        <ConfirmDialog
          isDanger
          title={words.deleteTitle}
          text={words.deleteText}
          action={words.delete}
          onConfirm={() => comments.remove(id)}
          onClose={() => setDeleting(false)}
        />
      )}
      {isEditing ? (
        <Composer
          label={words.edit}
          submit={words.save}
          initial={text}
          people={[...comments.people.value, ...mentions]}
          isFocused
          onSend={async (next) => {
            await comments.change(id, { text: next });
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p class="comment-text" dir="auto">
          {partsOf(text, mentions).map((part, index) =>
            typeof part === "string" ? part : <b key={index} class="comment-mention">{`@${part.name}`}</b>,
          )}
        </p>
      )}
    </li>
  );
}

function tellFailure(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error));
}
