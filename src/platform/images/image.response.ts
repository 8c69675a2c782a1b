import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '../docs/api-decorators.js';

/** One size of an image. */
@ApiSchema({ name: 'ImageSize' })
export class ImageSizeResponse {
  @ApiProperty({ description: 'the width in pixels', type: 'integer', example: 300 }) width: number;
  @ApiProperty({ description: 'the height in pixels', type: 'integer', example: 200 }) height: number;
  @ApiProperty({ description: 'the media type', type: String, example: 'image/jpeg' }) 'mime-type': string;
  @ApiPropertyOptional({ description: 'the size of the file in bytes', type: 'integer' }) filesize?: number;
  @ApiProperty({ description: 'where this size is', type: String, example: 'https://example.com/hall-300x200.jpg' })
  url: string;
}

/** An image as records show it; what is not known is absent (contract section 8). */
@ApiExtraModels(ImageSizeResponse)
@ApiSchema({ name: 'Image' })
export class ImageResponse {
  @ApiProperty({ description: 'where the image is', type: String, example: 'https://example.com/hall.jpg' })
  url: string;
  @ApiProperty({ description: 'the id', type: 'integer', example: 3 }) id: number;
  @ApiProperty({ description: 'the ending of the file name; empty: none', type: String, example: 'jpg' })
  extension: string;
  @ApiPropertyOptional({ description: 'the width in pixels', type: 'integer', example: 1200 }) width?: number;
  @ApiPropertyOptional({ description: 'the height in pixels', type: 'integer', example: 800 }) height?: number;
  @ApiPropertyOptional({ description: 'the size of the file in bytes', type: 'integer', example: 183_000 })
  filesize?: number;
  @ApiPropertyOptional({
    description: 'further sizes, by name',
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(ImageSizeResponse) },
  })
  sizes?: Record<string, ImageSizeResponse>;
}
