/** A link to a telephone number. Blanks in it do not break, so that it stays in one line. */
export function PhoneLink({ phone }: { phone: string }) {
  return <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone.replace(/\s/g, '\u00a0')}</a>;
}
