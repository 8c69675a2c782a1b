/** How a part of the nightly run ended. */
export interface PartResult {
  readonly minutes: number;
  /** `YYYY-MM-DD HH:MM`, UTC. */
  readonly began: string;
  readonly commit: string;
  readonly hasPassed: boolean;
}

/** `commands`: the command of each part. */
export function withResult(page: string, commands: Record<string, string>, part: string, result: PartResult): string;
