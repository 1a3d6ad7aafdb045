import { useState } from "preact/hooks";
import { call, refresh } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { SecretDialog } from "../../page-parts/secret.tsx";
import { useTexts } from "../../page-parts/submit.ts";
import { me, setMe } from "../../session/session.ts";
import { TextField, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { instanceWords } from "../../words/instance.ts";
import { type User, usersKey } from "./user.ts";

/** Makes a user; their first token is shown once, to be passed on. */
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

/** Another name, or another address, which counts at once. */
export function EditUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const words = useWords(instanceWords);
  const shared = useWords();
  const save = async (body: { name: string; email: string | null }) => {
    const answer = await call("PATCH /api/v1/users/:userId", { path: { userId: user.id }, body });
    const own = me.peek();
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
