import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../http/api-decorators.js';

/** One size of an image: always the original file. */
@ApiSchema({ name: 'ImageSize' })
export class ImageSizeResponse {
  @ApiPropertyOptional({ description: 'the width in pixels', type: 'integer', example: 1200 }) width?: number;
  @ApiPropertyOptional({ description: 'the height in pixels', type: 'integer', example: 800 }) height?: number;
  @ApiPropertyOptional({ description: 'the media type', type: String, example: 'image/jpeg' }) 'mime-type'?: string;
  @ApiProperty({ description: 'where the image is', type: String, example: 'https://example.com/hall.jpg' })
  url: string;
}

const Size = () => ApiProperty({ description: 'the image, in a size that programs ask for', type: ImageSizeResponse });

/** The sizes that clients expect. */
@ApiSchema({ name: 'ImageSizes' })
export class ImageSizesResponse {
  @Size() thumbnail: ImageSizeResponse;
  @Size() medium: ImageSizeResponse;
  @Size() medium_large: ImageSizeResponse;
  @Size() large: ImageSizeResponse;
}

/** An image of a record, without unknown members (contract section 8). */
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
  @ApiProperty({ description: 'sizes by name; all of them are the image itself', type: ImageSizesResponse })
  sizes: ImageSizesResponse;
}
