/** A command of the operator cannot be done. The message is shown as it is and gives the reason. */
export class OperatorError extends Error {}
