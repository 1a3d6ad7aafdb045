import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "../routing/router.ts";
import "./sections.css";

export type Section = { readonly id: string; readonly label: string };

export type SectionsProps = {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly selected: string;
  /** The path of the first section. The paths of the other sections are below it. */
  readonly base: string;
  readonly children: ComponentChildren;
};

/** A page with several sections of lists and forms. Each section has its own URL. */
export function Sections({ title, sections, selected, base, children }: SectionsProps) {
  const section = sections.find(({ id }) => id === selected);
  useEffect(() => {
    document.title = `${section?.label ?? title} · ${title} · Parley`;
  }, [title, section?.label]);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the list of sections is wider than the page and is scrolled to the current section.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [selected]);
  return (
    <main class="app-page is-narrow" id="main" tabIndex={-1}>
      <header class="app-page-head">
        <h1>{title}</h1>
      </header>
      <nav ref={nav} class="app-sections" aria-label={title}>
        {sections.map(({ id, label }, index) => (
          <Link key={id} to={index === 0 ? base : `${base}/${id}`} isCurrent={id === selected}>
            {label}
          </Link>
        ))}
      </nav>
      <div class="app-section-body">{children}</div>
    </main>
  );
}

type PartProps = {
  readonly title: string;
  readonly text?: string;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** A part of a section, with a heading, a description, actions and contents. */
export function Part({ title, text, action, children }: PartProps) {
  return (
    <section class="app-part">
      <header class="app-part-head">
        <div>
          <h2>{title}</h2>
          {text !== undefined && <p>{text}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
