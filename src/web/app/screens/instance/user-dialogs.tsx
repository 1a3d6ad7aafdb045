import { useState } from "preact/hooks";
import { type Answer, ApiFailure, call, isRecord, refresh, useAll } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { SecretDialog } from "../../page-parts/secret.tsx";
import { useTexts } from "../../page-parts/submit.ts";
import { TokenTable } from "../../page-parts/tokens.tsx";
import { me, setMe } from "../../session/session.ts";
import { Button, Combobox, ConfirmDialog, Dialog, TextField, toast } from "../../ui/index.ts";
import instanceWords from "../../words/en/instance.json";
import { useWords } from "../../words/index.ts";

/** Creates a user and shows the user's first token once, so that the administrator can send it to the user. */
export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>();
  const make = async (body: { name: string; email: string | null }) => {
    const { apiToken } = await call("POST /api/v1/users", { body });
    setMade({ name: body.name, token: apiToken.token });
    await refresh(usersKey);
  };
  if (made) return <SecretDialog title={made.name} text={words.userToken} value={made.token} onClose={onClose} />;
  return (
    <UserForm title={words.newUser} text={words.newUserText} action={shared.create} send={make} onClose={onClose} />
  );
}

/** Edits the name or the e-mail address of a user. A new address takes effect immediately. */
export function EditUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const save = async (body: { name: string; email: string | null }) => {
    const answer = await call("PATCH /api/v1/users/:userId", { path: { userId: user.id }, body });
    const own = me.value;
    if (own?.id === user.id) setMe({ ...own, ...answer.user });
    toast(shared.saved);
    onClose();
    await refresh(usersKey);
  };
  return <UserForm title={words.edit} action={shared.save} user={user} send={save} onClose={onClose} />;
}

type UserFormProps = {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly user?: User;
  readonly send: (body: { name: string; email: string | null }) => Promise<void>;
  readonly onClose: () => void;
};

function UserForm({ user, send, ...rest }: UserFormProps) {
  const words = useWords(instanceWords);
  const { texts, field } = useTexts({ name: user?.name ?? "", email: user?.email ?? "" });
  const body = { name: texts.name.trim(), email: texts.email.trim() || null };
  return (
    <FormDialog {...rest} required={{ name: texts.name }} send={() => send(body)}>
      {(errorOf) => (
        <>
          <TextField
            label={words.userName}
            {...field("name", errorOf)}
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          <TextField
            label={words.email}
            aside={words.optional}
            type="email"
            {...field("email", errorOf)}
            attributes={{ autocomplete: "off" }}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Lists a user's tokens, which can be revoked. The token values are not shown. */
export function UserTokens({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const path = { userId: user.id };
  const query = useAll(
    `user-tokens/${user.id}`,
    (page) => call("GET /api/v1/users/:userId/api-tokens", { path, query: page }),
    ({ apiTokens }) => apiTokens,
  );
  const revoke = async (tokenId: string) => {
    await call("DELETE /api/v1/users/:userId/api-tokens/:tokenId", { path: { ...path, tokenId } });
    await query.again();
  };
  return (
    <Dialog
      title={words.tokensOf({ name: user.name })}
      onClose={onClose}
      actions={<Button label={shared.done} onPress={onClose} />}
    >
      <TokenTable
        query={query}
        label={words.tokensOf({ name: user.name })}
        empty={<p>{words.noTokens}</p>}
        onRevoke={({ id }) => void revoke(id)}
      />
    </Dialog>
  );
}

type DeactivateProps = { readonly user: User; readonly users: readonly User[]; readonly onClose: () => void };

const mostNamed = 3;

/**
 * Asks for confirmation before a user is deactivated. If the user is the only administrator of a workspace, the
 * workspace must first get another administrator.
 */
export function DeactivateUser({ user, users, onClose }: DeactivateProps) {
  const words = useWords(instanceWords);
  const [left, setLeft] = useState<readonly string[]>();
  const [successorId, setSuccessor] = useState<string>();
  const others = users.filter(({ id, deactivatedAt }) => id !== user.id && deactivatedAt === null);
  const deactivate = async () => {
    const body = successorId === undefined ? {} : { successorId };
    try {
      await call("POST /api/v1/users/:userId/deactivate", { path: { userId: user.id }, body });
    } catch (cause) {
      if (cause instanceof ApiFailure && cause.code === "user.last_admin") setLeft(namesIn(cause.data));
      throw cause;
    }
    toast(words.deactivatedToast({ name: user.name }));
    await refresh(usersKey);
  };
  const named = left?.slice(0, mostNamed).join(", ") ?? "";
  const rest = (left?.length ?? 0) - mostNamed;
  return (
    <ConfirmDialog
      title={words.deactivateTitle({ name: user.name })}
      text={words.deactivateText}
      action={words.deactivate}
      isDanger
      onConfirm={deactivate}
      onClose={onClose}
    >
      {left && (
        <Combobox
          label={words.successor}
          help={words.successorText({ workspaces: rest > 0 ? `${named} ${words.andMore({ count: rest })}` : named })}
          value={successorId}
          options={others.map(({ id, name, email }) => ({ value: id, label: name, detail: email ?? undefined }))}
          noneLabel={words.nobody}
          onChange={setSuccessor}
        />
      )}
    </ConfirmDialog>
  );
}

function namesIn(data: unknown): readonly string[] {
  const workspaces = isRecord(data) ? data["workspaces"] : undefined;
  if (!Array.isArray(workspaces)) return [];
  return workspaces.flatMap((each: unknown) =>
    isRecord(each) && typeof each["name"] === "string" ? [`“${each["name"]}”`] : [],
  );
}

export type User = Answer<"GET /api/v1/users">["users"][number];

export const usersKey = "users";
