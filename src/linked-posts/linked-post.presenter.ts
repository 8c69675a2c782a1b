type Filled<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> };

/** The members that are not empty: venues and organizers leave the others out (contract 11.2, VO-20). */
export function filled<Members extends object>(members: Members): Filled<Members> {
  const kept = Object.entries(members).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return Object.fromEntries(kept) as Filled<Members>;
}
