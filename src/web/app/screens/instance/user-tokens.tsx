import { call, useAll } from "../../api/index.ts";
import { TokenTable } from "../../page-parts/tokens.tsx";
import { Button, Dialog } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { instanceWords } from "../../words/instance.ts";
import type { User } from "./user.ts";

/** A user's tokens, each of which can be revoked; none of them can be read. */
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
      title={words.tokensOf(user.name)}
      onClose={onClose}
      actions={<Button onPress={onClose}>{shared.done}</Button>}
    >
      <TokenTable
        query={query}
        label={words.tokensOf(user.name)}
        empty={<p>{words.noTokens}</p>}
        onRevoke={({ id }) => void revoke(id)}
      />
    </Dialog>
  );
}
