import { listAt } from "../../../conversation/read.ts";
import { Link } from "../../routing/router.ts";
import { useWords } from "../../words/index.ts";
import { shareWords } from "../../words/share.ts";

export type OriginsProps = { readonly botId: string; readonly settings: object };

/** Which sites may show the chat. */
export function Origins({ botId, settings }: OriginsProps) {
  const words = useWords(shareWords);
  const security: unknown = Reflect.get(settings, "security");
  const origins = listAt(security, "allowedOrigins").filter((origin) => typeof origin === "string" && origin !== "");
  return (
    <section>
      <h2>{words.origins}</h2>
      {origins.length === 0 ? (
        <p class="share-hint">{words.anyOrigin}</p>
      ) : (
        <>
          <p class="share-hint">{words.someOrigins}</p>
          <ul class="share-origins">
            {origins.map((origin) => (
              <li key={String(origin)}>
                <code>{String(origin)}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Link to={`/bots/${botId}/settings?part=security`}>{words.changeOrigins}</Link>
    </section>
  );
}
