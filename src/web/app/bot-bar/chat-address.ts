import { useQuery } from "../api/index.ts";
import { instance, loadInstance } from "../shell/session.ts";

/** Where chats are served; undefined until the service has said so. */
export function useChatAddress(): string | undefined {
  const known = instance.value;
  const { value } = useQuery(known ? undefined : "instance", loadInstance);
  return (known ?? value)?.addresses.chat;
}
