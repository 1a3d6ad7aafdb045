import { useState } from "preact/hooks";
import { type Answer, call, refresh, useAll } from "../../api/index.ts";
import { ListTable, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { me } from "../../session/session.ts";
import { Badge, Button, ConfirmDialog, Select, toast } from "../../ui/index.ts";
import { useWords, type Words } from "../../words/index.ts";
import { InviteDialog } from "./invite-dialog.tsx";

type Member = Answer<"GET /api/v1/workspaces/:workspaceId/members">["members"][number];
type Invitation = Answer<"GET /api/v1/workspaces/:workspaceId/invitations">["invitations"][number];
type Role = Member["role"];

type OfWorkspace = { readonly workspaceId: string; readonly isAdmin: boolean };

function rolesIn(words: Words) {
  return [
    { value: "ADMIN", label: words.roleAdmin, hint: words.roleAdminText },
    { value: "MEMBER", label: words.roleMember, hint: words.roleMemberText },
    { value: "GUEST", label: words.roleGuest, hint: words.roleGuestText },
  ] as const;
}

function roleIn(words: Words, role: Role) {
  return rolesIn(words).find(({ value }) => value === role);
}

/** Lists the members of a workspace with their roles. Administrators also see the open invitations. */
export function Members({ workspaceId, isAdmin }: OfWorkspace) {
  const words = useWords();
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const path = { workspaceId };
  const query = useAll(
    `members/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/members", { path, query: page }),
    ({ members }) => members,
  );
  const setRole = async ({ userId }: Member, role: Role) => {
    const change = call("PUT /api/v1/workspaces/:workspaceId/members/:userId", {
      path: { ...path, userId },
      body: { role },
    });
    await change.catch(refusedToast);
    await query.again();
  };
  const remove = async ({ userId }: Member) => {
    await call("DELETE /api/v1/workspaces/:workspaceId/members/:userId", { path: { ...path, userId } });
    await query.again();
  };
  return (
    <>
      <Part
        title={words.members}
        action={isAdmin && <Button label={words.invite} kind="primary" icon="plus" onPress={() => setInviting(true)} />}
      >
        <ListTable
          query={query}
          bars={5}
          label={words.members}
          keyOf={({ userId }) => userId}
          columns={[
            {
              id: "name",
              label: words.name,
              isMain: true,
              cell: ({ user, userId }) => (
                <TwoLines detail={user.email}>
                  {user.name} {userId === me.value?.id && <Badge label={words.you} />}
                </TwoLines>
              ),
            },
            {
              id: "role",
              label: words.role,
              cell: (member) =>
                isAdmin ? (
                  <Select
                    size="s"
                    name={`${words.role}: ${member.user.name}`}
                    value={member.role}
                    options={rolesIn(words)}
                    onChange={(role) => void setRole(member, role)}
                  />
                ) : (
                  roleIn(words, member.role)?.label
                ),
            },
            {
              id: "remove",
              label: words.remove,
              isHeadHidden: true,
              align: "end",
              from: "medium",
              cell: (member) =>
                isAdmin &&
                member.userId !== me.value?.id && (
                  <Button label={words.remove} size="s" kind="quiet" onPress={() => setRemoving(member)} />
                ),
            },
          ]}
        />
      </Part>
      {isAdmin && <Invitations workspaceId={workspaceId} />}
      {isInviting && <Invite workspaceId={workspaceId} onClose={() => setInviting(false)} />}
      {removing && (
        <ConfirmDialog
          title={words.removeMember}
          text={words.removeMemberText({ name: removing.user.name })}
          action={words.remove}
          isDanger
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function Invitations({ workspaceId }: { readonly workspaceId: string }) {
  const words = useWords();
  const path = { workspaceId };
  const query = useAll(
    `invitations/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/invitations", { path, query: page }),
    ({ invitations }) => invitations,
  );
  const takeBack = async ({ id }: Invitation) => {
    await call("DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId", {
      path: { ...path, invitationId: id },
    });
    toast(words.takenBack);
    await query.again();
  };
  return (
    <Part title={words.openInvitations}>
      <ListTable
        query={query}
        bars={2}
        empty={<p>{words.noInvitations}</p>}
        label={words.openInvitations}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "email",
            label: words.email,
            isMain: true,
            cell: ({ email }) => <span class="app-cell-text">{email}</span>,
          },
          { id: "role", label: words.role, from: "medium", cell: ({ role }) => roleIn(words, role)?.label },
          { id: "until", label: words.expires, from: "medium", cell: ({ expiresAt }) => <When at={expiresAt} /> },
        ]}
        acts={(invitation) => <Button label={words.takeBack} size="s" onPress={() => void takeBack(invitation)} />}
      />
    </Part>
  );
}

function Invite({ workspaceId, onClose }: { readonly workspaceId: string; readonly onClose: () => void }) {
  const words = useWords();
  const invite = async (email: string, role: Role) => {
    const { invitation } = await call("POST /api/v1/workspaces/:workspaceId/invitations", {
      path: { workspaceId },
      body: { email, role },
    });
    await refresh(`invitations/${workspaceId}`);
    return { code: invitation.code, said: words.inviteMailed({ email }) };
  };
  return (
    <InviteDialog
      title={words.inviteTitle}
      action={words.invite}
      label={words.role}
      rights={rolesIn(words)}
      first="MEMBER"
      helpOf={(role) => roleIn(words, role)?.hint ?? ""}
      invite={invite}
      onClose={onClose}
    />
  );
}
