import { applyDecorators } from '@nestjs/common';
import { IsOptional, ValidateBy } from '../../../errors/class-validator.js';
import type { DetailCode } from '../../../errors/error-catalogue.js';
import { withKeys } from '../../translations/translation.js';
import type { RequestContext } from '../request-context.js';

/** A parameter: its documentation and its coercion. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** The type that the interface declares, if it declares one. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  /** The accepted forms of a value without a declared type, or of a list's item. Default of an item: integer. */
  readonly forms?: readonly FieldForm[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  /** An example value for the documentation. */
  readonly example?: unknown;
  /** Whether a create without it is rejected. */
  readonly required?: boolean;
  /** Effect of null and '' on an update (contract 2.2). */
  readonly whenEmpty: 'clear' | 'refuse';
  /** Whether repeated keys make a list. Otherwise the last value counts. */
  readonly isList: boolean;
  /** Converts a value to its type. Returns an unsuitable value unchanged, so that the checks reject it. */
  coerce(value: unknown): unknown;
  /**
   * Returns the stored form of an accepted text, or undefined if its HTML exceeds the limits. Separate from `coerce`,
   * because it is slow and the checks do not need it.
   */
  readonly clean?: (text: string) => string | undefined;
}

/** An OpenAPI schema, or the DTO class of a record that may be given in place of an id. */
export type FieldForm = ({ readonly type: string } & Readonly<Record<string, unknown>>) | (abstract new () => object);

/** A rule for a coerced value: error code, test, and the text that follows the parameter's name. */
export type Check = readonly [code: DetailCode, passes: (value: unknown) => boolean, text: string];

/** Options of a field that override those of its kind. */
export type FieldOptions = Partial<
  Pick<Field, 'default' | 'enum' | 'example' | 'required' | 'whenEmpty' | 'type' | 'forms' | 'isList'>
>;

type Kind = Pick<Field, 'type' | 'forms' | 'example' | 'coerce' | 'clean'> & {
  readonly isList?: boolean;
  readonly checks: readonly Check[];
};

const FIELDS = Symbol('fields');

/**
 * Returns a decorator that declares a parameter: documentation, coercion and checks in one line.
 * class-validator runs the checks. The constraint's name is the error code.
 */
export function declareField(kind: Kind, description: string, options: FieldOptions): PropertyDecorator {
  const register: PropertyDecorator = (prototype, property) => {
    const { checks: _, ...rest } = kind;
    const field: Field = {
      isList: false,
      whenEmpty: 'clear',
      ...rest,
      ...options,
      name: String(property),
      description,
    };
    withKeys('requests', `${prototype.constructor.name}.${field.name}`, description);
    const fields = ownFields(prototype);
    // A subclass may declare a parameter anew, e.g. with another default.
    const inherited = fields.findIndex(({ name }) => name === field.name);
    fields.splice(inherited < 0 ? fields.length : inherited, 1, field);
  };
  // A ValidationPipe of Nest must skip absent values, as `readInput` does.
  return applyDecorators(register, IsOptional(), ...kind.checks.map(asConstraint));
}

/** Removes inherited parameters from a class: its requests may contain them, without effect. */
export function WithoutFields(...names: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    const holder = prototype as { [FIELDS]?: Field[] };
    holder[FIELDS] = ownFields(holder).filter(({ name }) => !names.includes(name));
  };
}

/** Returns the parameters that a class declares, in declaration order, those of its superclasses first. */
export function fieldsOf(type: abstract new () => object): readonly Field[] {
  return (type.prototype as { [FIELDS]?: Field[] })[FIELDS] ?? [];
}

function ownFields(prototype: object): Field[] {
  const holder = prototype as { [FIELDS]?: Field[] };
  if (!Object.hasOwn(holder, FIELDS)) holder[FIELDS] = [...(holder[FIELDS] ?? [])];
  return holder[FIELDS] as Field[];
}

function asConstraint([code, passes, text]: Check): PropertyDecorator {
  return ValidateBy({ name: code, validator: { validate: passes, defaultMessage: () => `$property ${text}` } });
}

/** What a computed default depends on. */
export type DefaultContext = Pick<RequestContext, 'nowUtc' | 'site'>;

/** A default that depends on the time: the date window of the list of events (contract 10.1). */
export type ComputedDefault = (context: DefaultContext) => string;

/** Returns the default of a parameter, or undefined. */
export function defaultOf(field: Field, context: DefaultContext): unknown {
  return typeof field.default === 'function' ? (field.default as ComputedDefault)(context) : field.default;
}
