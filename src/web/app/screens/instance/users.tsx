import { useState } from "preact/hooks";
import { call, refresh, useAll } from "../../api/index.ts";
import { MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { me } from "../../session/session.ts";
import {
  Badge,
  Button,
  type Column,
  EmptyState,
  folded,
  type MenuItem,
  Table,
  TextField,
  toast,
} from "../../ui/index.ts";
import instanceWords from "../../words/en/instance.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import { DeactivateUser, EditUser, NewUser, type User, UserTokens, usersKey } from "./user-dialogs.tsx";

type Asking = { readonly kind: "new" } | { readonly kind: "edit" | "tokens" | "deactivate"; readonly user: User };

/** The number of users from which the list has a search field. */
const searchedFrom = 8;

/** Lists all people with an account on this instance. */
export function Users() {
  const words = useWords(instanceWords);
  const [asking, setAsking] = useState<Asking>();
  const [search, setSearch] = useState("");
  const query = useAll(
    usersKey,
    (page) => call("GET /api/v1/users", { query: page }),
    ({ users }) => users,
  );
  return (
    <Part
      title={words.users}
      text={words.usersText}
      action={<Button label={words.newUser} kind="primary" icon="plus" onPress={() => setAsking({ kind: "new" })} />}
    >
      <QueryState query={query}>
        {(users) => {
          const wanted = folded(search.trim());
          const shown = users.filter(({ name, email }) => folded(`${name} ${email ?? ""}`).includes(wanted));
          return (
            <>
              {users.length >= searchedFrom && (
                <search>
                  <TextField
                    name={words.searchUsers}
                    placeholder={words.searchUsers}
                    type="search"
                    icon="search"
                    value={search}
                    onInput={setSearch}
                  />
                </search>
              )}
              {shown.length === 0 ? (
                <EmptyState icon="search" title={words.noUsersFound({ search: search.trim() })}>
                  <Button label={words.clearSearch} onPress={() => setSearch("")} />
                </EmptyState>
              ) : (
                <Table
                  label={words.users}
                  rows={shown}
                  keyOf={({ id }) => id}
                  columns={columnsOf(words, (user) => menuOf(user, words, setAsking))}
                />
              )}
              {asking && <Asked asking={asking} users={users} onClose={() => setAsking(undefined)} />}
            </>
          );
        }}
      </QueryState>
    </Part>
  );
}

type AskedProps = { readonly asking: Asking; readonly users: readonly User[]; readonly onClose: () => void };

function Asked({ asking, users, onClose }: AskedProps) {
  switch (asking.kind) {
    case "new":
      return <NewUser onClose={onClose} />;
    case "edit":
      return <EditUser user={asking.user} onClose={onClose} />;
    case "tokens":
      return <UserTokens user={asking.user} onClose={onClose} />;
    case "deactivate":
      return <DeactivateUser user={asking.user} users={users} onClose={onClose} />;
  }
}

function columnsOf(words: WordsOf<"instance">, itemsOf: (user: User) => readonly MenuItem[]): readonly Column<User>[] {
  return [
    {
      id: "user",
      label: words.user,
      isMain: true,
      cell: ({ id, name, email }) => (
        <TwoLines detail={email}>
          {name} {id === me.value?.id && <Badge label={words.you} />}
        </TwoLines>
      ),
    },
    { id: "state", label: words.state, cell: (user) => <UserState user={user} /> },
    { id: "since", label: words.since, from: "medium", cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      id: "more",
      label: words.more,
      isHeadHidden: true,
      align: "end",
      cell: (user) => <MoreMenu name={user.name} items={() => itemsOf(user)} />,
    },
  ];
}

function UserState({ user }: { readonly user: User }) {
  const words = useWords(instanceWords);
  if (user.deactivatedAt !== null) return <Badge label={words.deactivated} tone="warning" />;
  if (user.isAdministrator) return <Badge label={words.administrator} tone="accent" />;
  return <Badge label={words.active} tone="good" />;
}

function menuOf(user: User, words: WordsOf<"instance">, ask: (asking: Asking) => void): readonly MenuItem[] {
  return [
    { label: words.edit, icon: "pencil", onPress: () => ask({ kind: "edit", user }) },
    { label: words.tokens, icon: "key-round", onPress: () => ask({ kind: "tokens", user }) },
    { kind: "line" },
    user.deactivatedAt === null
      ? {
          label: words.deactivate,
          icon: "lock",
          isDanger: true,
          onPress: () => ask({ kind: "deactivate", user }),
        }
      : { label: words.activate, icon: "rotate-ccw", onPress: () => void activate(user, words) },
  ];
}

async function activate({ id, name }: User, words: WordsOf<"instance">): Promise<void> {
  await call("POST /api/v1/users/:userId/activate", { path: { userId: id } });
  toast(words.activatedToast({ name }));
  await refresh(usersKey);
}
