import { inlineCode } from "../../forms/fields/inline-code.tsx";
import { Icon } from "../../ui/index.ts";

type PanelHeadingProps = { readonly icon: string; readonly name: string; readonly summary?: string | undefined };

/** The subject of a panel's form. */
export function PanelHeading({ icon, name, summary }: PanelHeadingProps) {
  return (
    <header class="panel-head">
      <span class="panel-icon">
        <Icon name={icon} size={18} />
      </span>
      <div>
        <h2 class="panel-title">{name}</h2>
        {summary !== undefined && <p class="panel-summary">{inlineCode(summary)}</p>}
      </div>
    </header>
  );
}
