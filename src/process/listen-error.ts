import { OperatorError } from '../errors/operator-error.js';

/** Errors of a host that is unknown or not an address of this machine. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/** Turns errors of `listen` into one line that names the setting, PORT or METRICS_PORT, or HOST, and says what to do. */
export async function explainListenError<Result>(
  setting: 'PORT' | 'METRICS_PORT',
  port: number,
  listening: Promise<Result>,
): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `${setting}: port ${port} is in use. Stop the program that listens there, or set another port: ${setting}=${otherPort(port)}`,
      );
    if (code === 'EACCES')
      throw new OperatorError(
        `${setting}: this user may not listen on port ${port}. Set a port from 1024: ${setting}=3000`,
      );
    if (NO_SUCH_ADDRESS.has(code))
      throw new OperatorError(
        `HOST: this machine does not have that address (${message}). Set an address of it, or leave HOST out.`,
      );
    throw error;
  }
}

function otherPort(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}
