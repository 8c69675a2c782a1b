import { ApiProperty, ApiSchema } from './api-decorators.js';

const Digits = (description: string, example: string) => ApiProperty({ description, type: String, example });

/** The parts of a date-time, zero-padded (contract 2.3). */
@ApiSchema({ name: 'DateDetails' })
export class DateDetails {
  @Digits('the year, four digits', '2026') year: string;
  @Digits('the month', '12') month: string;
  @Digits('the day of the month', '05') day: string;
  @Digits('the hour, 00 to 23', '20') hour: string;
  @Digits('the minutes', '00') minutes: string;
  @Digits('the seconds', '00') seconds: string;
}

/** What an admission price is made of (contract section 8). */
@ApiSchema({ name: 'CostDetails' })
export class CostDetails {
  @ApiProperty({ description: 'the symbol all amounts share; empty: none', type: String, example: '€' })
  currency_symbol: string;
  @ApiProperty({ description: 'always empty', type: String, example: '' }) currency_code: string;
  @ApiProperty({
    description: 'where the symbol stands; empty: no symbol',
    type: String,
    enum: ['', 'prefix', 'postfix'],
    example: 'postfix',
  })
  currency_position: string;
  @ApiProperty({ description: 'the amounts, ascending', type: [String], example: ['20'] }) values: string[];
}
