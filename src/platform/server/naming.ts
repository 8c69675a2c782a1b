import { InvalidEnvironment } from '../config/environment.js';

/** Says which setting asks for what another process has. */
export async function naming<Result>(setting: string, listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== 'EADDRINUSE') throw error;
    throw new InvalidEnvironment(`${setting}: another process listens there already (${message})`);
  }
}
