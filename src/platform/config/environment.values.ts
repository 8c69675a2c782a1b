import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { withoutEndSlashes } from '../../kernel/end-slashes.js';
import { list } from './environment.checks.js';

/** A comma-separated list. */
export const Csv = () => text(list);

/** An address or a path, without the slash at its end. */
export const TrimSlash = () => text(withoutEndSlashes);

/** A whole number within bounds. */
export const Whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  applyDecorators(text(Number), IsInt({ message: 'must be a whole number' }), Min(least), Max(most));

/** `on` or `off`, by several words. */
export const Flag = () =>
  applyDecorators(
    text((value) => FLAGS[value.toLowerCase()] ?? value),
    IsBoolean({ message: 'must be on or off' }),
  );

const FLAGS: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  '1': true,
  off: false,
  false: false,
  no: false,
  '0': false,
};

/** Variables are text; defaults are what they are. */
function text(read: (value: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));
}
