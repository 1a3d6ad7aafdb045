import type { ComponentChildren } from "preact";

export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="design-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
