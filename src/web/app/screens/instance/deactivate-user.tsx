import { useState } from "preact/hooks";
import { ApiFailure, call, isRecord, refresh } from "../../api/index.ts";
import { Combobox, ConfirmDialog, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { instanceWords } from "../../words/instance.ts";
import { type User, usersKey } from "./user.ts";

type DeactivateProps = { readonly user: User; readonly users: readonly User[]; readonly onClose: () => void };

const mostNamed = 3;

/** Asks before somebody is shut out; who alone administers a workspace hands it over first. */
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
    toast(words.deactivatedToast(user.name));
    await refresh(usersKey);
  };
  const named = left?.slice(0, mostNamed).join(", ") ?? "";
  const rest = (left?.length ?? 0) - mostNamed;
  return (
    <ConfirmDialog
      title={words.deactivateTitle(user.name)}
      text={words.deactivateText}
      action={words.deactivate}
      isDanger
      onConfirm={deactivate}
      onClose={onClose}
    >
      {left && (
        <Combobox
          label={words.successor}
          help={words.successorText(rest > 0 ? `${named} ${words.andMore(rest)}` : named)}
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
