import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import type { DetailCode } from '../../../errors/error-catalogue.js';
import { named } from '../../translations/translation.js';
import type { RequestContext } from '../request-context.js';

/** What the documentation says of a parameter, and what happens to its value before it is checked. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** The type of the interface; undefined where it declares none. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  /** What a value without a declared type, or an item of a list, may be; an item is an integer unless said here. */
  readonly forms?: readonly FieldForm[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  /** A value as the documentation shows it; that of the kind, unless said here. */
  readonly example?: unknown;
  /** Refused when absent on create. */
  readonly required?: boolean;
  /** What null and '' mean on an update (contract 2.2). */
  readonly whenEmpty: 'clear' | 'refuse';
  /** A list takes repeated keys; of any other parameter the last value counts. */
  readonly isList: boolean;
  /** Gives the value its type; what cannot have it stays as it is, for the checks to refuse. */
  coerce(value: unknown): unknown;
  /**
   * The form in which an accepted text is stored, where making it takes its time; the checks do not depend on it.
   * undefined: the text is nested too deep.
   */
  readonly clean?: (text: string) => string | undefined;
}

/** An OpenAPI schema; or the class of a record given in full, with its fields as they are created. */
export type FieldForm = ({ readonly type: string } & Readonly<Record<string, unknown>>) | (abstract new () => object);

/** One rule a coerced value must keep: the code of its detail, the test, the text behind the parameter's name. */
export type Check = readonly [code: DetailCode, passes: (value: unknown) => boolean, text: string];

/** What a field may say differently from its kind. */
export type FieldOptions = Partial<
  Pick<Field, 'default' | 'enum' | 'example' | 'required' | 'whenEmpty' | 'type' | 'forms' | 'isList'>
>;

type Kind = Pick<Field, 'type' | 'forms' | 'example' | 'coerce' | 'clean'> & {
  readonly isList?: boolean;
  readonly checks: readonly Check[];
};

const FIELDS = Symbol('fields');

/**
 * Declares a parameter: its documentation, its coercion and its checks in one line.
 * class-validator runs the checks; the name of each is the code of the answer's detail.
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
    named('requests', `${prototype.constructor.name}.${field.name}`, description);
    ownFields(prototype).push(field);
  };
  return applyDecorators(register, ...kind.checks.map(asConstraint));
}

/** The parameters a class declares, in the order of the interface's tables; those of its ancestors come first. */
export function fieldsOf(type: abstract new () => object): readonly Field[] {
  return (type.prototype as { [FIELDS]?: Field[] })[FIELDS] ?? [];
}

function ownFields(prototype: object): Field[] {
  const holder = prototype as { [FIELDS]?: Field[] };
  if (!Object.hasOwn(holder, FIELDS)) holder[FIELDS] = [...(holder[FIELDS] ?? [])];
  return holder[FIELDS] as Field[];
}

function asConstraint([code, passes, text]: Check): PropertyDecorator {
  return ValidateBy({ name: code, validator: { validate: passes, defaultMessage: () => text } });
}

/** When and where a default is asked for. */
export type Moment = Pick<RequestContext, 'nowUtc' | 'site'>;

/** A default that moves with the clock: the window of the list of events (contract 10.1). */
export type MovingDefault = (moment: Moment) => string;

/** The default of a parameter as documented; undefined: none. */
export function defaultOf(field: Field, moment: Moment): unknown {
  return typeof field.default === 'function' ? (field.default as MovingDefault)(moment) : field.default;
}
