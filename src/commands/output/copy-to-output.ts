/** Copies a response to standard output as it arrives, no faster than its reader reads. */
export async function copyToOutput(response: Response): Promise<void> {
  for await (const chunk of response.body ?? []) {
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve())),
    );
  }
}
