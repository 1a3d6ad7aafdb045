/** @jsxImportSource preact */

type Props = { readonly id: string; readonly problems: readonly string[] };

/** Why files were refused, a line for each: heard as soon as they were chosen. */
export function FileProblems({ id, problems }: Props) {
  if (problems.length === 0) return null;
  return (
    <div class="typebot-input-error-message" id={id} role="alert">
      {problems.map((problem, index) => (
        <p class="file-problem" key={`${index} ${problem}`} dir="auto">
          {problem}
        </p>
      ))}
    </div>
  );
}
