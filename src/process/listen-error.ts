import { OperatorError } from '../errors/operator-error.js';

/** Errors of a host that is unknown or not an address of this machine. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/** Turns errors of `listen` into messages that name the setting: PORT or METRICS_PORT, or HOST. */
export async function explainListenError<Result>(setting: string, listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'EADDRINUSE')
      throw new OperatorError(`${setting}: another process listens there already (${message})`);
    if (code === 'EACCES') throw new OperatorError(`${setting}: the process may not listen there (${message})`);
    if (NO_SUCH_ADDRESS.has(code)) throw new OperatorError(`HOST: the server cannot listen there (${message})`);
    throw error;
  }
}
