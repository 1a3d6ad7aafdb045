import { useState } from "preact/hooks";
import type { ScreenProps } from "../../routing/screen.ts";
import { type Scheme, scheme, setScheme } from "../../session/preferences.ts";
import { Segments } from "../../ui/index.ts";
import { Controls } from "./controls.tsx";
import { Foundations } from "./foundations.tsx";
import { Lists } from "./lists.tsx";
import "./ui.css";

/**
 * Shows the whole design system in all states, for developers. Only available when running from the sources, not in the
 * binary.
 */
export default function DesignSystem(_props: ScreenProps) {
  const [isRightToLeft, setRightToLeft] = useState(document.documentElement.dir === "rtl");
  return (
    <main class="design" id="main" tabIndex={-1}>
      <header class="design-head">
        <h1>Design system</h1>
        <Segments<Scheme>
          label="Colours"
          value={scheme.value}
          options={[
            { value: "system", label: "System" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
          onChange={setScheme}
        />
        <Segments
          label="Direction"
          value={isRightToLeft ? "rtl" : "ltr"}
          options={[
            { value: "ltr", label: "→" },
            { value: "rtl", label: "←" },
          ]}
          onChange={(value) => {
            document.documentElement.dir = value;
            setRightToLeft(value === "rtl");
          }}
        />
      </header>
      <Foundations />
      <Controls />
      <Lists />
    </main>
  );
}
