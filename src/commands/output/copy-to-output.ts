/** Copies a response to standard output as it arrives. Waits for the reader of the output before it reads more. */
export async function copyToOutput(response: Response): Promise<void> {
  for await (const chunk of response.body ?? []) {
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }
}
