import { useState } from "preact/hooks";
import { type Answer, allPages, call, useAll, useQuery } from "../../api/index.ts";
import { ListTable, TwoLines } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, route } from "../../routing/router.ts";
import { Button, Combobox, ConfirmDialog, EmptyState, Select } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { InviteDialog } from "./invite-dialog.tsx";

type Bot = Answer<"GET /api/v1/bots">["bots"][number];
type Collaborator = Answer<"GET /api/v1/bots/:botId/collaborators">["collaborators"][number];
type Invitation = Answer<"GET /api/v1/bots/:botId/invitations">["invitations"][number];
type Right = Collaborator["type"];

/** A person with access to one bot, or with an invitation to it. */
type Guest =
  | { readonly kind: "guest"; readonly id: string; readonly of: Collaborator }
  | { readonly kind: "invited"; readonly id: string; readonly of: Invitation };

/**
 * Lists the people who have access to one bot of a workspace without being members. The URL names the bot; otherwise,
 * the first bot is shown.
 */
export function Guests({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords(workspaceWords);
  const query = useAll(
    `guests/${workspaceId}/bots`,
    (page) => call("GET /api/v1/bots", { query: { workspaceId, sort: "name", ...page } }),
    ({ bots }) => bots,
  );
  return (
    <QueryState query={query}>
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
  const shared = useWords();
  const rights = [
    { value: "READ", label: words.mayRead },
    { value: "WRITE", label: words.mayWrite },
  ] as const;
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Collaborator>();
  const path = { botId: bot.id };
  const query = useQuery(`guests-of/${bot.id}`, () => readGuests(bot.id));
  const setRight = async ({ userId }: Collaborator, type: Right) => {
    await call("PUT /api/v1/bots/:botId/collaborators/:userId", { path: { ...path, userId }, body: { type } });
    await query.again();
  };
  const remove = async ({ userId }: Collaborator) => {
    await call("DELETE /api/v1/bots/:botId/collaborators/:userId", { path: { ...path, userId } });
    await query.again();
  };
  const invite = async (email: string, type: Right) => {
    const { invitation } = await call("PUT /api/v1/bots/:botId/collaborators", { path, body: { email, type } });
    await query.again();
    const said = invitation ? shared.inviteMailed({ email }) : words.guestAdded({ email });
    return { code: invitation?.code ?? null, said };
  };
  const takeBack = async ({ id }: Invitation) => {
    await call("DELETE /api/v1/bots/:botId/invitations/:invitationId", { path: { ...path, invitationId: id } });
    await query.again();
  };
  return (
    <Part
      title={words.guests}
      text={words.guestsText}
      action={<Button label={words.inviteGuest} icon="plus" onPress={() => setInviting(true)} />}
    >
      <div class="app-part-form">
        <Combobox
          label={words.bot}
          value={bot.id}
          options={bots.map(({ id, name }) => ({ value: id, label: name }))}
          noneLabel={words.noBot}
          onChange={(id) =>
            id !== undefined && go(`${route.value.path}?bot=${encodeURIComponent(id)}`, { isReplacing: true })
          }
        />
      </div>
      <ListTable
        query={query}
        empty={<EmptyState icon="users" title={words.noGuests} text={words.noGuestsText} />}
        label={words.guests}
        keyOf={({ id }) => id}
        columns={[
          { id: "person", label: words.person, isMain: true, cell: (guest) => <Person guest={guest} /> },
          {
            id: "may",
            label: words.may,
            cell: (guest) =>
              guest.kind === "invited" ? (
                rights.find(({ value }) => value === guest.of.type)?.label
              ) : (
                <Select
                  size="s"
                  name={`${words.may}: ${guest.of.user.name}`}
                  value={guest.of.type}
                  options={rights}
                  onChange={(right) => void setRight(guest.of, right)}
                />
              ),
          },
        ]}
        acts={(guest) => (
          <Button
            label={guest.kind === "guest" ? words.removeGuest : words.takeBack}
            size="s"
            kind="quiet"
            onPress={() => (guest.kind === "guest" ? setRemoving(guest.of) : void takeBack(guest.of))}
          />
        )}
      />
      {isInviting && (
        <InviteDialog
          title={words.inviteGuest}
          text={words.inviteText({ bot: bot.name })}
          action={words.inviteGuest}
          label={words.may}
          rights={rights}
          first="READ"
          invite={invite}
          onClose={() => setInviting(false)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={words.removeGuestTitle({ name: removing.user.name })}
          text={words.removeGuestText({ bot: bot.name })}
          action={words.removeGuest}
          isDanger
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Part>
  );
}

function Person({ guest }: { readonly guest: Guest }) {
  const words = useWords(workspaceWords);
  if (guest.kind === "guest") {
    return <TwoLines detail={guest.of.user.email}>{guest.of.user.name}</TwoLines>;
  }
  const { email, expiresAt } = guest.of;
  return (
    <TwoLines detail={words.invitedUntil({ when: whenText(expiresAt) })} title={timeText(expiresAt)}>
      {email}
    </TwoLines>
  );
}

async function readGuests(botId: string): Promise<readonly Guest[]> {
  const path = { botId };
  const [guests, invited] = await Promise.all([
    allPages(
      (query) => call("GET /api/v1/bots/:botId/collaborators", { path, query }),
      ({ collaborators }) => collaborators,
    ),
    allPages(
      (query) => call("GET /api/v1/bots/:botId/invitations", { path, query }),
      ({ invitations }) => invitations,
    ),
  ]);
  return [
    ...guests.map((of): Guest => ({ kind: "guest", id: of.userId, of })),
    ...invited.map((of): Guest => ({ kind: "invited", id: of.id, of })),
  ];
}
