/** Runs a command in this process and returns its result and its output. */
export async function told<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  const restores = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array) => {
      text[name] += String(chunk);
      return true;
    };
    return () => (stream.write = write);
  });
  try {
    const result = await work();
    return { result, ...text };
  } finally {
    restores.forEach((restore) => restore());
  }
}
