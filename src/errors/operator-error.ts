/** What the operator asked for on the command line cannot be done; the message says why, in full. */
export class OperatorError extends Error {}
