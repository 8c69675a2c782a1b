import { capabilitiesOf, type Capability, type Role } from './capability.js';

/** The client of a request: anonymous (user id 0), or a user with the capabilities of the token's role. */
export interface Caller {
  readonly userId: number;
  readonly capabilities: ReadonlySet<Capability>;
}

export const ANONYMOUS: Caller = { userId: 0, capabilities: new Set() };

export function callerWith(userId: number, role: Role): Caller {
  return { userId, capabilities: capabilitiesOf(role) };
}

export function can(caller: Caller, capability: Capability): boolean {
  return caller.capabilities.has(capability);
}

export function isAnonymous(caller: Caller): boolean {
  return caller.userId === 0;
}
