import type { ComponentChildren } from "preact";

export type FormProps = {
  readonly class?: string;
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
};

/** A form that its caller validates and submits. The browser's own validation and navigation are disabled. */
export function Form({ class: className, onSubmit, children }: FormProps) {
  return (
    <form
      class={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
