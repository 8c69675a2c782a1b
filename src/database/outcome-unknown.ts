/** The connection was lost, or the time ran out, while the commit was under way: nobody knows whether it happened. */
export class OutcomeUnknown extends Error {}
