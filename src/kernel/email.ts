/** Whether a trimmed text is an e-mail address: contract section 3, "E-mail", and VO-23. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@', 3);
  if (more.length > 0 || !/^[^\s\p{Cc}]{1,64}$/u.test(local)) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every(isLabel);
}

function isLabel(label: string): boolean {
  return /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
