import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useWords } from "../words/index.ts";
import { announce } from "./announcer.tsx";
import { Button, IconButton } from "./button.tsx";
import "./toast.css";

export type ToastAction = { readonly label: string; readonly onPress: () => void };

type Shown = { readonly id: number; readonly text: string; readonly action: ToastAction | undefined };

const shown = signal<readonly Shown[]>([]);
const shownMs = 8_000;
const mostAtOnce = 3;
let lastId = 0;

/**
 * Shows a short message about a finished action, optionally with a button, for example for undo. A toast must not be
 * the only source of information.
 */
export function toast(text: string, action?: ToastAction): void {
  lastId += 1;
  // Replaces an equal message without a button, because each rejected letter shows the same message again.
  const others = shown.value.filter((each) => each.text !== text || each.action !== undefined);
  shown.value = [...others, { id: lastId, text, action }].slice(-mostAtOnce);
  announce(text);
}

function drop(id: number): void {
  shown.value = shown.value.filter((each) => each.id !== id);
}

/** The container of toasts. Rendered once per page. */
export function Toasts() {
  const words = useWords();
  return (
    <section class="app-toasts" aria-label={words.notifications} hidden={shown.value.length === 0}>
      {shown.value.map((each) => (
        <Toast key={each.id} {...each} />
      ))}
    </section>
  );
}

/** A toast stays visible while it is hovered or focused. */
export function Toast({ id, text, action }: Shown) {
  const words = useWords();
  const timer = useRef(0);
  const stay = () => clearTimeout(timer.current);
  const leaveLater = () => {
    stay();
    timer.current = window.setTimeout(() => drop(id), shownMs);
  };
  useEffect(() => {
    leaveLater();
    return stay;
  }, []);
  return (
    <div class="app-toast" onPointerEnter={stay} onPointerLeave={leaveLater} onFocusIn={stay} onFocusOut={leaveLater}>
      <span class="app-toast-text">{text}</span>
      {action && (
        <Button
          label={action.label}
          kind="quiet"
          size="s"
          onPress={() => {
            drop(id);
            action.onPress();
          }}
        />
      )}
      <IconButton icon="x" size="s" label={words.dismiss} onPress={() => drop(id)} />
    </div>
  );
}
