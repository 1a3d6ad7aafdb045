import { useState } from "preact/hooks";
import { type Answer, call, refresh, setKnown, useQuery } from "../../api/index.ts";
import { ListTable, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { go, Link } from "../../routing/router.ts";
import { Badge, Button, ConfirmDialog, EmptyState, toast } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { timeText, useWords, type WordsOf } from "../../words/index.ts";
import { type Connection, one } from "./service.ts";

type Conversations = Answer<`GET ${typeof one}/conversations`>;
type Conversation = Conversations["conversations"][number];
type Messages = Answer<`GET ${typeof one}/conversations/:contactId/messages`>;
type Message = Messages["messages"][number];

/** An account may have many thousands of contacts, so they are loaded in pages. */
const pageSize = 50;

type Props = { readonly workspaceId: string; readonly connection: Connection; readonly isAdmin: boolean };

/** The contacts of a connection, or the conversation with one contact, which has its own URL. */
export function Conversations({ contactId, ...props }: Props & { readonly contactId: string | undefined }) {
  return contactId === undefined ? <AllConversations {...props} /> : <Opened {...props} contactId={contactId} />;
}

const listKey = ({ id }: Connection) => `channel-conversations/${id}`;
const addressOf = ({ workspaceId, connection }: Props) => `/w/${workspaceId}/channels/${connection.id}/conversations`;

function Opened({ contactId, ...props }: Props & { readonly contactId: string }) {
  const { workspaceId, connection } = props;
  const path = { workspaceId, connectionId: connection.id, contactId };
  const query = useQuery(`channel-conversation/${contactId}`, () =>
    call(`GET ${one}/conversations/:contactId`, { path }),
  );
  const back = () => go(addressOf(props));
  const changed = async () => {
    await Promise.all([refresh(listKey(connection)), query.again()]);
  };
  return (
    <QueryState query={query}>
      {({ conversation }) => <OneConversation {...props} contact={conversation} onBack={back} onChanged={changed} />}
    </QueryState>
  );
}

function AllConversations(props: Props) {
  const { workspaceId, connection } = props;
  const shared = useWords();
  const words = useWords(channelWords);
  const [isFurther, setFurther] = useState(false);
  const path = { workspaceId, connectionId: connection.id };
  const key = listKey(connection);
  const read = (cursor?: string) => call(`GET ${one}/conversations`, { path, query: { limit: pageSize, cursor } });
  const query = useQuery(key, () => read());
  const further = async ({ conversations, nextCursor }: Conversations) => {
    setFurther(true);
    try {
      const next = await read(nextCursor);
      setKnown<Conversations>(key, { ...next, conversations: [...conversations, ...next.conversations] });
    } catch (cause) {
      refusedToast(cause);
    } finally {
      setFurther(false);
    }
  };
  return (
    <Part
      title={words.conversations}
      text={words.conversationsText}
      action={<Button label={words.again} icon="refresh-cw" onPress={() => void query.again()} />}
    >
      <ListTable
        query={{ ...query, value: query.value?.conversations }}
        empty={<EmptyState icon="message-circle" title={words.noConversations} text={words.noConversationsText} />}
        label={words.conversations}
        keyOf={({ contactId }) => contactId}
        columns={[
          {
            id: "name",
            label: words.contact,
            isMain: true,
            cell: (contact) => (
              <TwoLines detail={contact.username === null ? contact.address : `@${contact.username}`}>
                <Link to={`${addressOf(props)}/${contact.contactId}`}>{nameOf(contact)}</Link>
              </TwoLines>
            ),
          },
          { id: "state", label: words.state, cell: (contact) => <ContactState contact={contact} /> },
          { id: "last", label: words.lastIn, from: "medium", cell: ({ lastInboundAt }) => <When at={lastInboundAt} /> },
        ]}
      />
      {query.value?.nextCursor !== undefined && (
        <Button label={shared.showMore} busy={isFurther} onPress={() => void (query.value && further(query.value))} />
      )}
    </Part>
  );
}

function nameOf({ name, username, address }: Conversation): string {
  return name ?? username ?? address;
}

function ContactState({ contact }: { readonly contact: Conversation }) {
  const words = useWords(channelWords);
  if (contact.blockedAt !== null) return <Badge label={words.blocked} tone="warning" />;
  if (contact.optedOutAt !== null) return <Badge label={words.optedOut} tone="warning" />;
  if (contact.unsentCount > 0) return <Badge label={words.unsent({ count: contact.unsentCount })} />;
  return contact.isRunning ? <Badge label={words.running} tone="good" /> : <Badge label={words.over} />;
}

type OneProps = Props & {
  readonly contact: Conversation;
  readonly onBack: () => void;
  /** Called when the list of contacts or the shown contact may have changed. */
  readonly onChanged: () => Promise<void>;
};

/** The messages in both directions, oldest first, with the delivery state of each sent message. */
function OneConversation({ workspaceId, connection, isAdmin, contact, onBack, onChanged }: OneProps) {
  const shared = useWords();
  const words = useWords(channelWords);
  const [isErasing, setErasing] = useState(false);
  const path = { workspaceId, connectionId: connection.id, contactId: contact.contactId };
  const key = `channel-messages/${contact.contactId}`;
  const read = (cursor?: string) =>
    call(`GET ${one}/conversations/:contactId/messages`, { path, query: { limit: pageSize, cursor } });
  const query = useQuery(key, () => read());
  const earlier = async ({ messages, nextCursor }: Messages) => {
    try {
      const next = await read(nextCursor);
      setKnown<Messages>(key, { ...next, messages: [...messages, ...next.messages] });
    } catch (cause) {
      refusedToast(cause);
    }
  };
  const act = async (send: () => Promise<unknown>) => {
    await send().catch(refusedToast);
    await query.again();
  };
  const end = () =>
    act(async () => {
      await call(`POST ${one}/conversations/:contactId/end`, { path });
      toast(words.chatEnded);
      onBack();
      await onChanged();
    });
  const erase = async () => {
    await call(`DELETE ${one}/contacts/:contactId`, { path, query: {} });
    toast(words.contactErased);
    onBack();
    await onChanged();
  };
  const settle = (message: Message, how: "retry" | "drop") =>
    act(() => {
      const of = { workspaceId, connectionId: connection.id, sendingId: message.id };
      return how === "retry"
        ? call(`POST ${one}/sendings/:sendingId/retry`, { path: of })
        : call(`POST ${one}/sendings/:sendingId/drop`, { path: of });
    });
  return (
    <Part
      title={nameOf(contact)}
      action={
        <div class="channel-acts">
          <Button label={words.allConversations} icon="arrow-left" onPress={onBack} />
          <Button
            label={words.again}
            icon="refresh-cw"
            onPress={() => void Promise.all([query.again(), onChanged()])}
          />
          {contact.isRunning && <Button label={words.endChat} icon="x" onPress={() => void end()} />}
          {isAdmin && (
            <Button label={words.eraseContact} icon="trash-2" kind="danger" onPress={() => setErasing(true)} />
          )}
        </div>
      }
    >
      {isErasing && (
        <ConfirmDialog
          title={words.eraseTitle({ name: nameOf(contact) })}
          text={words.eraseText}
          action={words.eraseContact}
          isDanger
          onConfirm={erase}
          onClose={() => setErasing(false)}
        />
      )}
      {contact.resultId !== null && contact.botId !== null && (
        <p class="channel-results">
          <Link to={`/bots/${contact.botId}/results/${contact.resultId}`}>{words.toResult}</Link>
          <Link to={`/bots/${contact.botId}/results?contact=${contact.contactId}`}>{words.toResults}</Link>
        </p>
      )}
      <QueryState query={query}>
        {(page) => (
          <>
            {page.nextCursor !== undefined && <Button label={shared.showMore} onPress={() => void earlier(page)} />}
            <ol class="channel-messages" aria-label={words.conversations}>
              {page.messages.toReversed().map((message) => (
                <Said key={message.id} message={message} onSettle={(how) => void settle(message, how)} />
              ))}
            </ol>
          </>
        )}
      </QueryState>
    </Part>
  );
}

type SaidProps = { readonly message: Message; readonly onSettle: (how: "retry" | "drop") => void };

function Said({ message, onSettle }: SaidProps) {
  const words = useWords(channelWords);
  const { direction, text, at, state } = message;
  const isFailed = state === "failed" || state === "dropped";
  return (
    <li class={`channel-message is-${direction}${isFailed ? " is-failed" : ""}`}>
      <p>{text ?? words.noText({ kind: message.kind })}</p>
      {message.choices.length > 0 && (
        <ul class="channel-message-choices">
          {message.choices.map((title, index) => (
            <li key={`${index} ${title}`}>{title}</li>
          ))}
        </ul>
      )}
      <span class="channel-message-state">
        {timeText(at)} · {stateText(message, words)}
      </span>
      {direction === "out" && state === "failed" && (
        <div class="channel-acts">
          <Button label={words.sendAgain} size="s" icon="refresh-cw" onPress={() => onSettle("retry")} />
          <Button label={words.letGo} size="s" onPress={() => onSettle("drop")} />
        </div>
      )}
    </li>
  );
}

function stateText({ direction, state, reason }: Message, words: WordsOf<"channels">): string {
  const states: Readonly<Record<string, string>> = direction === "in" ? words.inStates : words.outStates;
  const said = states[state] ?? state;
  return reason === null ? said : `${said}: ${reason}`;
}
