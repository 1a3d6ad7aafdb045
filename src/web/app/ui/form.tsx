import type { ComponentChildren } from "preact";

export type FormProps = {
  readonly class?: string;
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
};

/** A form that its caller checks and sends: the browser neither checks its fields nor navigates. */
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
