/** Values for parameters. Loads nothing of the package. */
export type Parameters = Record<string, unknown>;

/** A record's locator, filled by its ID. */
export const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

export const HOUR = 3_600_000;
export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
