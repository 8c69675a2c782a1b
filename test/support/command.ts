import { Command } from 'commander';
import { commandLine } from '../../src/process/commands.js';
import { PATIENT } from './patience.js';
import { emptyFolder, type Finished } from './process.js';

/** `stderr` is without the line that names the database. */
interface FinishedCommand extends Finished {
  /** The database that the command has opened, as it names it. */
  readonly database?: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, which saves the second in which a process loads the service. `runCli` runs it as an
 * operator does: for output that is closed, logs, signals, and commands beside requests.
 */
export function runCommand(
  args: readonly string[],
  settings: Record<string, string>,
  folder = emptyFolder(),
): Promise<FinishedCommand> {
  // One at a time, because settings and output are those of the process.
  const run = last.then(() => runAlone(args, settings, folder));
  last = run.catch(() => undefined);
  return run;
}

async function runAlone(
  args: readonly string[],
  settings: Record<string, string>,
  folder: string,
): Promise<FinishedCommand> {
  const { env, exitCode } = process;
  const cwd = process.cwd();
  const output = { stdout: '', stderr: '' };
  const restore = [capture('stdout', output), capture('stderr', output)];
  process.env = { PATH: env.PATH, TZ: env.TZ, ...PATIENT, ...settings };
  process.chdir(folder);
  process.exitCode = undefined;
  try {
    await withoutExit(commandLine()).parseAsync(args, { from: 'user' });
    return { code: Number(process.exitCode ?? 0), ...withDatabase(output) };
  } catch (error) {
    // Commander has written the message.
    return { code: (error as { exitCode?: number }).exitCode ?? 1, ...output };
  } finally {
    for (const end of restore) end();
    process.chdir(cwd);
    process.env = env;
    process.exitCode = exitCode;
  }
}

function withDatabase({ stdout, stderr }: Record<'stdout' | 'stderr', string>) {
  const [line, database] = /^Database: (.+)\n/m.exec(stderr) ?? [''];
  return { stdout, stderr: stderr.replace(line, ''), database };
}

/** Makes a command and its subcommands throw where they would end the process. */
function withoutExit(command: Command): Command {
  command.exitOverride();
  for (const subcommand of command.commands) withoutExit(subcommand);
  return command;
}

/** Collects what is written to a stream. Returns a function that ends this. */
function capture(name: 'stdout' | 'stderr', output: Record<'stdout' | 'stderr', string>): () => void {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    output[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const callback = rest.at(-1);
    if (typeof callback === 'function') (callback as () => void)();
    return true;
  };
  return () => (stream.write = write);
}
