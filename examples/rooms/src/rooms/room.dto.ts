import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

export class RoomDto {
  @ApiProperty({ description: 'the name on the door', example: 'Blue room' })
  @IsString()
  @Length(1, 100)
  name: string;

  @IsInt() @Min(1) @Max(100_000) seats: number;
  @IsInt() @Min(1) venueId: number;
}

/** The fields of a room that a PATCH changes. */
export class RoomChangesDto extends PartialType(RoomDto) {}

export class RoomFilterDto {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) minSeats?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) venueId?: number;
}
