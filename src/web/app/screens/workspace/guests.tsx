import { useState } from "preact/hooks";
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, route } from "../../routing/router.ts";
import { allPages } from "../../session/workspaces.ts";
import { Button, Combobox, ConfirmDialog, EmptyState, Select, Table } from "../../ui/index.ts";
import { timeText, useWords, type WordsOf, whenText } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import { InviteGuest } from "./invite-guest.tsx";

type Bot = Answer<"GET /api/v1/bots">["bots"][number];
type Collaborator = Answer<"GET /api/v1/bots/:botId/collaborators">["collaborators"][number];
type Invitation = Answer<"GET /api/v1/bots/:botId/invitations">["invitations"][number];
type Right = Collaborator["type"];

/** Somebody who sees one bot: already, or once they have accepted. */
type Guest =
  | { readonly kind: "guest"; readonly id: string; readonly of: Collaborator }
  | { readonly kind: "invited"; readonly id: string; readonly of: Invitation };

/** The people who see one bot of a workspace, without belonging to it. The bot is in the address. */
export function Guests({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(workspaceWords);
  const query = useQuery(`guests/${workspaceId}/bots`, () =>
    allPages(async (cursor) => {
      const { bots, nextCursor } = await call("GET /api/v1/bots", {
        query: { workspaceId, sort: "name", limit: 100, cursor },
      });
      return { entries: bots, nextCursor };
    }),
  );
  return (
    <QueryState query={query} onRetry={() => refresh(`guests/${workspaceId}`)}>
      {(bots) => {
        const bot = bots.find(({ id }) => id === route.value.query.get("bot")) ?? bots[0];
        if (!bot) {
          return (
            <Part title={words.guests} text={words.guestsText}>
              <EmptyState icon="message-circle" title={words.nothingToShare} text={words.nothingToShareText} />
            </Part>
          );
        }
        return <GuestsOf key={bot.id} bot={bot} bots={bots} />;
      }}
    </QueryState>
  );
}

function GuestsOf({ bot, bots }: { readonly bot: Bot; readonly bots: readonly Bot[] }) {
  const words = useWords(workspaceWords);
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Collaborator>();
  const path = { botId: bot.id };
  const key = `guests-of/${bot.id}`;
  const query = useQuery(key, () => readGuests(bot.id));
  const setRight = async ({ userId }: Collaborator, type: Right) => {
    await call("PUT /api/v1/bots/:botId/collaborators/:userId", { path: { ...path, userId }, body: { type } });
    await refresh(key);
  };
  const remove = async ({ userId }: Collaborator) => {
    await call("DELETE /api/v1/bots/:botId/collaborators/:userId", { path: { ...path, userId } });
    await refresh(key);
  };
  const takeBack = async ({ id }: Invitation) => {
    await call("DELETE /api/v1/bots/:botId/invitations/:invitationId", { path: { ...path, invitationId: id } });
    await refresh(key);
  };
  return (
    <Part
      title={words.guests}
      text={words.guestsText}
      action={
        <Button icon="plus" onPress={() => setInviting(true)}>
          {words.inviteGuest}
        </Button>
      }
    >
      <div class="app-part-form">
        <Combobox
          label={words.bot}
          value={bot.id}
          options={bots.map(({ id, name }) => ({ value: id, label: name }))}
          noneLabel={words.noBot}
          onChange={(id) =>
            id !== undefined && go(`${route.peek().path}?bot=${encodeURIComponent(id)}`, { isReplacing: true })
          }
        />
      </div>
      <QueryState query={query} onRetry={() => refresh(key)} rows={3}>
        {(guests) =>
          guests.length === 0 ? (
            <EmptyState icon="users" title={words.noGuests} text={words.noGuestsText} />
          ) : (
            <Table
              label={words.guests}
              rows={guests}
              keyOf={({ id }) => id}
              columns={[
                { id: "person", label: words.person, isMain: true, cell: (guest) => <Person guest={guest} /> },
                {
                  id: "may",
                  label: words.may,
                  cell: (guest) =>
                    guest.kind === "invited" ? (
                      rightText(guest.of.type, words)
                    ) : (
                      <Select
                        size="s"
                        name={`${words.may}: ${guest.of.user.name}`}
                        value={guest.of.type}
                        options={rights.map((value) => ({ value, label: rightText(value, words) }))}
                        onChange={(value) => void setRight(guest.of, value === "WRITE" ? "WRITE" : "READ")}
                      />
                    ),
                },
                {
                  id: "remove",
                  label: words.removeGuest,
                  isHeadHidden: true,
                  align: "end",
                  cell: (guest) =>
                    guest.kind === "guest" ? (
                      <Button size="s" kind="quiet" onPress={() => setRemoving(guest.of)}>
                        {words.removeGuest}
                      </Button>
                    ) : (
                      <Button size="s" kind="quiet" onPress={() => void takeBack(guest.of)}>
                        {words.takeBack}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {isInviting && <InviteGuest bot={bot} onDone={() => refresh(key)} onClose={() => setInviting(false)} />}
      {removing && (
        <ConfirmDialog
          title={words.removeGuestTitle(removing.user.name)}
          text={words.removeGuestText(bot.name)}
          action={words.removeGuest}
          isDanger
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Part>
  );
}

const rights: readonly Right[] = ["READ", "WRITE"];

function rightText(right: Right | null, words: WordsOf<typeof workspaceWords>): string {
  return right === "WRITE" ? words.mayWrite : words.mayRead;
}

function Person({ guest }: { readonly guest: Guest }) {
  const words = useWords(workspaceWords);
  if (guest.kind === "guest") {
    return (
      <span class="app-cell-text">
        {guest.of.user.name}
        <span class="app-cell-detail">{guest.of.user.email}</span>
      </span>
    );
  }
  return (
    <span class="app-cell-text">
      {guest.of.email}
      <span class="app-cell-detail" title={timeText(guest.of.expiresAt)}>
        {words.invitedUntil(whenText(guest.of.expiresAt))}
      </span>
    </span>
  );
}

async function readGuests(botId: string): Promise<readonly Guest[]> {
  const path = { botId };
  const [guests, invited] = await Promise.all([
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/bots/:botId/collaborators", { path, query: { limit: 100, cursor } });
      return { entries: answer.collaborators, nextCursor: answer.nextCursor };
    }),
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/bots/:botId/invitations", { path, query: { limit: 100, cursor } });
      return { entries: answer.invitations, nextCursor: answer.nextCursor };
    }),
  ]);
  return [
    ...guests.map((of): Guest => ({ kind: "guest", id: of.userId, of })),
    ...invited.map((of): Guest => ({ kind: "invited", id: of.id, of })),
  ];
}
