import { useState } from "preact/hooks";
import { type Answer, ApiFailure, call, refresh, useQuery } from "../../api/index.ts";
import { NameDialog } from "../../page-parts/form-dialog.tsx";
import { invitationLink, SecretDialog } from "../../page-parts/secret.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { sentenceOf } from "../../page-parts/submit.ts";
import { me } from "../../session/session.ts";
import { allPages } from "../../session/workspaces.ts";
import { Badge, Button, ConfirmDialog, Select, type SelectOption, Table, toast } from "../../ui/index.ts";
import { timeText, useWords, type Words, whenText } from "../../words/index.ts";

type Member = Answer<"GET /api/v1/workspaces/:workspaceId/members">["members"][number];
type Invitation = Answer<"GET /api/v1/workspaces/:workspaceId/invitations">["invitations"][number];
type Role = Member["role"];

type OfWorkspace = { readonly workspaceId: string; readonly isAdmin: boolean };

const roles: readonly Role[] = ["ADMIN", "MEMBER", "GUEST"];

function roleOptions(words: Words): readonly SelectOption[] {
  return [
    { value: "ADMIN", label: words.roleAdmin },
    { value: "MEMBER", label: words.roleMember },
    { value: "GUEST", label: words.roleGuest },
  ];
}

/** The members of a workspace, the role of each, and the open invitations. */
export function Members({ workspaceId, isAdmin }: OfWorkspace) {
  const words = useWords();
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const path = { workspaceId };
  const query = useQuery(`members/${workspaceId}`, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/workspaces/:workspaceId/members", { path, query: { limit: 100, cursor } });
      return { entries: answer.members, nextCursor: answer.nextCursor };
    }),
  );
  const again = () => refresh(`members/${workspaceId}`);
  const setRole = async ({ userId }: Member, role: Role) => {
    try {
      await call("PUT /api/v1/workspaces/:workspaceId/members/:userId", { path: { ...path, userId }, body: { role } });
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      toast(sentenceOf(cause, words.tooManyTries));
    }
    await again();
  };
  const remove = async ({ userId }: Member) => {
    await call("DELETE /api/v1/workspaces/:workspaceId/members/:userId", { path: { ...path, userId } });
    await again();
  };
  return (
    <>
      <Part
        title={words.members}
        action={
          isAdmin && (
            <Button kind="primary" icon="plus" onPress={() => setInviting(true)}>
              {words.invite}
            </Button>
          )
        }
      >
        <QueryState query={query} onRetry={again}>
          {(members) => (
            <Table
              label={words.members}
              rows={members}
              keyOf={({ userId }) => userId}
              columns={[
                {
                  id: "name",
                  label: words.name,
                  isMain: true,
                  cell: ({ user, userId }) => (
                    <span class="app-cell-text">
                      {user.name} {userId === me.value?.id && <Badge>{words.you}</Badge>}
                      <span class="app-cell-detail">{user.email}</span>
                    </span>
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
                        options={roleOptions(words)}
                        onChange={(value) => void setRole(member, roles.find((role) => role === value) ?? member.role)}
                      />
                    ) : (
                      roleOptions(words).find(({ value }) => value === member.role)?.label
                    ),
                },
                ...(isAdmin
                  ? [
                      {
                        id: "remove",
                        label: words.remove,
                        isHeadHidden: true,
                        align: "end" as const,
                        from: "medium" as const,
                        cell: (member: Member) =>
                          member.userId !== me.value?.id && (
                            <Button size="s" kind="quiet" onPress={() => setRemoving(member)}>
                              {words.remove}
                            </Button>
                          ),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        </QueryState>
      </Part>
      {isAdmin && <Invitations workspaceId={workspaceId} />}
      {isInviting && <Invite workspaceId={workspaceId} onClose={() => setInviting(false)} />}
      {removing && (
        <ConfirmDialog
          title={words.removeMember}
          text={words.removeMemberText(removing.user.name)}
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
  const query = useQuery(`invitations/${workspaceId}`, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/workspaces/:workspaceId/invitations", {
        path,
        query: { limit: 100, cursor },
      });
      return { entries: answer.invitations, nextCursor: answer.nextCursor };
    }),
  );
  const again = () => refresh(`invitations/${workspaceId}`);
  const takeBack = async ({ id }: Invitation) => {
    await call("DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId", {
      path: { ...path, invitationId: id },
    });
    toast(words.takenBack);
    await again();
  };
  return (
    <Part title={words.openInvitations}>
      <QueryState query={query} onRetry={again} rows={2}>
        {(invitations) =>
          invitations.length === 0 ? (
            <p>{words.noInvitations}</p>
          ) : (
            <Table
              label={words.openInvitations}
              rows={invitations}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "email",
                  label: words.email,
                  isMain: true,
                  cell: ({ email }) => <span class="app-cell-text">{email}</span>,
                },
                {
                  id: "role",
                  label: words.role,
                  from: "medium",
                  cell: ({ role }) => roleOptions(words).find(({ value }) => value === role)?.label,
                },
                {
                  id: "until",
                  label: words.expires,
                  from: "medium",
                  cell: ({ expiresAt }) => <span title={timeText(expiresAt)}>{whenText(expiresAt)}</span>,
                },
                {
                  id: "back",
                  label: words.takeBack,
                  isHeadHidden: true,
                  align: "end",
                  cell: (invitation) => (
                    <Button size="s" onPress={() => void takeBack(invitation)}>
                      {words.takeBack}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
    </Part>
  );
}

function Invite({ workspaceId, onClose }: { readonly workspaceId: string; readonly onClose: () => void }) {
  const words = useWords();
  const [role, setRole] = useState<Role>("MEMBER");
  const [code, setCode] = useState<string>();
  const hints = { ADMIN: words.roleAdminText, MEMBER: words.roleMemberText, GUEST: words.roleGuestText };
  const invite = async (email: string) => {
    const { invitation } = await call("POST /api/v1/workspaces/:workspaceId/invitations", {
      path: { workspaceId },
      body: { email, role },
    });
    await refresh(`invitations/${workspaceId}`);
    if (invitation.code !== null) {
      setCode(invitation.code);
      return;
    }
    toast(words.inviteMailed(email));
    onClose();
  };
  if (code !== undefined) {
    return (
      <SecretDialog title={words.inviteTitle} text={words.inviteCode} value={invitationLink(code)} onClose={onClose} />
    );
  }
  return (
    <NameDialog
      title={words.inviteTitle}
      label={words.email}
      type="email"
      action={words.invite}
      send={invite}
      onClose={onClose}
    >
      <Select
        label={words.role}
        help={hints[role]}
        value={role}
        options={roleOptions(words)}
        onChange={(value) => setRole(roles.find((each) => each === value) ?? "MEMBER")}
      />
    </NameDialog>
  );
}
